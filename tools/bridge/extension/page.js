// Runs in the page's JavaScript world and executes commands with Snap!'s objects. Tested manually with Snap! 9.2.0 to
// 12-beta; the tests use a stand-in with the same objects and names.
//
// The page is not trusted: it receives no token, and the server validates its messages.
'use strict';
(() => {
  if (globalThis.snapgenBridgePage) return;
  globalThis.snapgenBridgePage = true;

  // ---- names -------------------------------------------------------------------------------
  // Clients use names like changeYBy, as Scratch does; Snap!'s selectors differ. Each name is resolved
  // to a selector of SpriteMorph.prototype.blocks, or rejected with INVALID_BLOCK_SPEC.
  const ALIAS = {
    changeYBy: 'changeYPosition', changeXBy: 'changeXPosition', setX: 'setXPosition', setY: 'setYPosition',
    setXTo: 'setXPosition', setYTo: 'setYPosition', moveSteps: 'forward', turnRight: 'turn',
    goToXY: 'gotoXY', pointInDirection: 'setHeading', doPlaySound: 'playSound', say: 'bubble',
    sayFor: 'doSayFor', think: 'doThink', wait: 'doWait', repeat: 'doRepeat', forever: 'doForever',
    whenFlagClicked: 'receiveGo', whenKeyPressed: 'receiveKey', broadcast: 'doBroadcast',
    setVariable: 'doSetVar', changeVariable: 'doChangeVar', ifThen: 'doIf', ifElse: 'doIfElse',
    random: 'reportRandom', multiply: 'reportVariadicProduct', add: 'reportVariadicSum',
    subtract: 'reportDifference', divide: 'reportQuotient', join: 'reportJoinWords',
    equals: 'reportVariadicEquals', lessThan: 'reportVariadicLessThan', greaterThan: 'reportVariadicGreaterThan'
  };
  // Snap! inputs are positional. The names are those of this project: one list per selector, in slot order.
  const SLOTS = {
    receiveKey: ['KEY'], receiveMessage: ['MESSAGE'], receiveInteraction: ['INTERACTION'],
    changeYPosition: ['DY'], changeXPosition: ['DX'], setXPosition: ['X'], setYPosition: ['Y'], gotoXY: ['X', 'Y'],
    forward: ['STEPS'], turn: ['DEGREES'], turnLeft: ['DEGREES'], setHeading: ['DIRECTION'], doGlide: ['SECS', 'X', 'Y'],
    doWait: ['DURATION'], doRepeat: ['TIMES', 'SUBSTACK'], doForever: ['SUBSTACK'], doIf: ['CONDITION', 'SUBSTACK'],
    doIfElse: ['CONDITION', 'SUBSTACK', 'SUBSTACK2'], doUntil: ['CONDITION', 'SUBSTACK'], playSound: ['SOUND'],
    doPlaySoundUntilDone: ['SOUND'], bubble: ['MESSAGE'], doSayFor: ['MESSAGE', 'SECS'], doSetVar: ['VARIABLE', 'VALUE'],
    doChangeVar: ['VARIABLE', 'VALUE'], doBroadcast: ['MESSAGE'], reportRandom: ['FROM', 'TO']
  };
  // Slots with a fixed menu: a constant is set as a one-element array, so that it is localized
  // when shown and survives a change of language.
  const MENU = { 'receiveKey:0': true, 'receiveInteraction:0': true };

  class Failure extends Error {
    constructor(code, message, details, suggestions) {
      super(message); this.code = code; this.details = details; this.suggestions = suggestions;
    }
  }

  const bootedIde = () => {
    const i = window.world?.children?.[0];
    return i instanceof IDE_Morph && i.stage && i.currentSprite ? i : undefined;
  };
  // Snap! 9 creates its IDE some time after the page has loaded, and raises no event then.
  const untilBooted = async () => {
    while (!bootedIde()) { await new Promise((done) => setTimeout(done, 100)); }
  };
  const ide = () => {
    const i = bootedIde();
    if (!i) {
      throw new Failure('SNAP_NOT_LOADED', 'The Snap! IDE is not ready', {}, ['Wait for the page to finish loading']);
    }
    return i;
  };
  const allSprites = (i) => i.sprites.asArray();
  // ide.spriteNamed() returns the current sprite for an unknown name, so this searches the list.
  function spriteNamed(name) {
    const i = ide();
    if (name === undefined || name === null) { return i.currentSprite; }
    if (name === i.stage.name) { return i.stage; }
    const s = allSprites(i).find((x) => x.name === name) ||
      window.world.hand.children.find((m) => m instanceof SpriteMorph && m.name === name);
    if (s) { return s; }
    const names = [i.stage.name].concat(allSprites(i).map((x) => x.name));
    throw new Failure('SPRITE_NOT_FOUND', `Sprite '${name}' does not exist in current project`,
      { available_sprites: names, attempted_sprite: name },
      [`Create a new sprite named '${name}'`, 'Use one of the existing sprites']);
  }

  // ---- block ids ---------------------------------------------------------------------------
  // Morphs have no stable id. A property on the morph would be copied along when the user
  // duplicates the block (Morph.fullCopy copies own properties), so the ids are in separate maps.
  const byId = new Map(), idOf = new WeakMap();
  function register(id, block) { byId.set(id, block); idOf.set(block, id); }
  // Morphic's removeChild() leaves child.parent set, so a deleted block still has its parents:
  // follow the chain downwards too.
  function attached(m) {
    for (; m; m = m.parent) {
      if (m instanceof ScriptsMorph) { return true; }
      if (!m.parent || !m.parent.children.includes(m)) { return false; }
    }
    return false;
  }
  function blockById(id) { const b = byId.get(id); return b && attached(b) ? b : null; }

  // ---- building blocks ---------------------------------------------------------------------
  function resolve(opcode) {
    const table = SpriteMorph.prototype.blocks, mig = SpriteMorph.prototype.blockMigrations || {};
    for (const s of [opcode, ALIAS[opcode]]) {
      if (s && Object.prototype.hasOwnProperty.call(table, s)) { return s; }
      if (s && Object.prototype.hasOwnProperty.call(mig, s)) { return s; }
    }
    throw new Failure('INVALID_BLOCK_SPEC', `Unknown opcode '${opcode}'`, { opcode }, ['Use a Snap! selector such as changeYPosition']);
  }
  function reporterFor(value, params) {
    if (typeof value === 'string' && value[0] === '%' && params && params.includes(value.slice(1))) {
      return SpriteMorph.prototype.variableBlock(value.slice(1));
    }
    if (value && typeof value === 'object' && value.operation) {
      return makeBlock({ opcode: value.operation, inputs: value.operands || [] }, params);
    }
    if (value && typeof value === 'object' && value.opcode) { return makeBlock(value, params); }
    if (value && typeof value === 'object' && value.variable) { return SpriteMorph.prototype.variableBlock(value.variable); }
    return null;
  }
  function setSlot(block, slot, key, value, params) {
    if (slot instanceof CommandSlotMorph) {                       // C-shaped: a list of blocks
      const list = Array.isArray(value) ? value : [value];
      slot.nestedBlock(chain(list.map((b) => makeBlock(b, params))));
      return;
    }
    const rep = reporterFor(value, params);
    if (rep) { block.replaceInput(slot, rep); rep.fixBlockColor(block, true); return; }
    slot.setContents(MENU[key] && typeof value === 'string' ? [value] : value);
  }
  function setInputs(block, selector, inputs, params) {
    if (inputs === undefined || inputs === null) { return; }
    const slots = block.inputs();
    if (Array.isArray(inputs)) {
      if (slots[0] instanceof MultiArgMorph) {                    // variadic: one slot per value
        const multi = slots[0];
        while (multi.inputs().length < inputs.length) { multi.addInput(); }
        inputs.forEach((v, n) => setSlot(multi, multi.inputs()[n], '', v, params));
        return;
      }
      inputs.forEach((v, n) => {
        if (!slots[n]) { throw new Failure('INVALID_BLOCK_SPEC', `${selector} has ${slots.length} inputs`, {}); }
        setSlot(block, slots[n], selector + ':' + n, v, params);
      });
      return;
    }
    const names = SLOTS[selector];
    Object.keys(inputs).forEach((name, order) => {
      let n = names ? names.indexOf(name) : order;                // unknown selectors: by order of the keys
      if (n < 0) {
        throw new Failure('INVALID_BLOCK_SPEC', `${selector} has no input named '${name}'`, { inputs: names });
      }
      if (!slots[n]) { throw new Failure('INVALID_BLOCK_SPEC', `${selector} has ${slots.length} inputs`, { input: name }); }
      setSlot(block, slots[n], selector + ':' + n, inputs[name], params);
    });
  }
  function makeBlock(spec, params) {
    if (!spec || typeof spec.opcode !== 'string') { throw new Failure('INVALID_BLOCK_SPEC', 'A block needs an opcode', { spec }); }
    const selector = resolve(spec.opcode);
    const block = SpriteMorph.prototype.blockForSelector(selector, true);   // true: with default inputs
    if (!block) { throw new Failure('INVALID_BLOCK_SPEC', `Cannot make '${spec.opcode}'`, {}); }
    if (block.isTemplate) { block.isTemplate = false; }
    block.isDraggable = true;
    setInputs(block, block.selector, spec.inputs, params);
    return block;
  }
  function chain(blocks) {
    blocks.forEach((b, n) => {
      if (n === 0) { return; }
      if (b instanceof HatBlockMorph) { throw new Failure('INVALID_BLOCK_SPEC', 'A hat block must be the first of its script', {}); }
      if (!(b instanceof CommandBlockMorph) || !(blocks[n - 1] instanceof CommandBlockMorph)) {
        throw new Failure('INVALID_BLOCK_SPEC', 'Only command blocks can be stacked', {});
      }
      blocks[n - 1].nextBlock(b);
    });
    return blocks[0];
  }
  // Order a script's blocks by their "next" links.
  function ordered(specs) {
    const map = new Map(specs.map((b) => [b.block_id, b])), pointed = new Set();
    specs.forEach((b) => { if (b.next !== null && b.next !== undefined) {
      if (!map.has(b.next)) { throw new Failure('INVALID_BLOCK_SPEC', `next '${b.next}' is not in this script`, { block_id: b.block_id }); }
      if (pointed.has(b.next)) { throw new Failure('INVALID_BLOCK_SPEC', `two blocks have next '${b.next}'`, {}); }
      pointed.add(b.next);
    } });
    const heads = specs.filter((b) => !pointed.has(b.block_id));
    if (heads.length !== 1) { throw new Failure('INVALID_BLOCK_SPEC', 'The blocks do not form one chain', { heads: heads.map((b) => b.block_id) }); }
    const out = []; let b = heads[0];
    while (b) { out.push(b); b = b.next === null || b.next === undefined ? null : map.get(b.next); }
    if (out.length !== specs.length) { throw new Failure('INVALID_BLOCK_SPEC', 'The blocks do not form one chain', {}); }
    return out;
  }
  // blockSequence() of a hat block omits the hat, so this follows the chain of blocks.
  function sequence(top) { const out = []; for (let b = top; b; b = b.nextBlock ? b.nextBlock() : null) { out.push(b); } return out; }
  const scriptTops = (s) => s.scripts.children.filter((c) => c instanceof BlockMorph);
  const spriteInfo = (s) => ({
    name: s.name, position: s instanceof StageMorph ? { x: 0, y: 0 } : { x: s.xPosition(), y: s.yPosition() },
    total_scripts: scriptTops(s).length
  });
  const undoStack = [];
  function snapshot(s) { undoStack.push({ sprite: s.name, xml: s.scriptsOnlyXML() }); if (undoStack.length > 20) { undoStack.shift(); } }
  function edited(s, ...details) {
    if (s.recordUserEdit) { s.recordUserEdit('scripts', ...details); } else { ide().recordUnsavedChanges(s.name); }
  }
  function scriptPosition(block) {
    const sc = block.parentThatIsA(ScriptsMorph), k = SyntaxElementMorph.prototype.scale;
    const p = block.topLeft().subtract(sc.topLeft());
    return { x: Math.round(p.x / k), y: Math.round(p.y / k) };
  }

  const found_by_id = (ids) => {
    const missing = ids.filter((id) => !blockById(id));
    if (missing.length) throw new Failure('INVALID_BLOCK_SPEC', 'No such block: ' + missing.join(', '), { missing }, ['read_project with detail_level detailed lists the blocks.']);
    return ids.map(blockById);
  };
  const near = (top, { x, y, radius = 10 }) => {
    const at = scriptPosition(top);
    return Math.hypot(at.x - x, at.y - y) <= radius;
  };

  // ---- highlighting ------------------------------------------------------------------------
  function colorOf(text) {
    const m = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text || '');
    return m ? new Color(parseInt(m[1], 16), parseInt(m[2], 16), parseInt(m[3], 16)) : SyntaxElementMorph.prototype.activeHighlight;
  }
  const timers = new WeakMap();                             // one per block: a later highlight replaces an earlier one
  function highlight(block, color, ms) {
    clearTimeout(timers.get(block));
    block.removeHighlight();
    block.addBack(block.highlight(color, block.activeBlur, block.activeBorder));
    block.fullChanged();
    timers.set(block, setTimeout(() => block.removeHighlight(), ms));
  }

  // ---- commands ----------------------------------------------------------------------------
  const xmlEscape = (s) => String(s).replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[c]);
  const PARAM_TYPE = { number: '%n', string: '%s', text: '%txt', boolean: '%b', list: '%l', object: '%obj', any: '%s', sound: '%txt', costume: '%txt', sprite: '%txt' };
  const PARAM_MENU = { sound: '§_soundsMenu', costume: '§_costumesMenu', sprite: '§_objectsMenu' };

  // Since Snap! 10, serializing a project leaves SpriteMorph.prototype.blocks (the table of all
  // primitives) replaced by an array: Scene.toXML saves and restores the wrong object. The
  // IDE's save command calls scene.applyGlobalSettings() afterwards; api.js's getProjectXML does not.
  function serialize(media) {
    const i = ide(), z = i.serializer;
    i.scene.captureGlobalSettings();
    z.isCollectingMedia = !media;
    try { return z.serialize(new Project(i.scenes, i.scene)); } finally {
      z.isCollectingMedia = false; z.flushMedia(); i.scene.applyGlobalSettings();
    }
  }

  const commands = {
    create_blocks(p) {
      const s = spriteNamed(p.target_sprite), ids = [], made = [];
      // All blocks are built detached first, so an error here leaves the project unchanged (rollback_on_error).
      for (const script of p.scripts || []) {
        const specs = ordered(script.blocks || []);
        const blocks = specs.map((b) => makeBlock(b));
        chain(blocks);
        made.push({ script, specs, blocks });
      }
      snapshot(s);
      const k = SyntaxElementMorph.prototype.scale, color = colorOf(p.visual_feedback && p.visual_feedback.color);
      for (const { script, specs, blocks } of made) {
        const at = script.position || { x: 20, y: 20 }, top = blocks[0];
        s.scripts.add(top);
        top.setPosition(s.scripts.topLeft().add(new Point(at.x * k, at.y * k)));
        top.fixBlockColor(null, true);                              // zebra colouring
        top.fixLayout();
        specs.forEach((b, n) => { const id = b.block_id || `bridge_${byId.size + 1}`; register(id, blocks[n]); ids.push(id); });
        const ms = p.visual_feedback && p.visual_feedback.highlight_duration_ms;
        if (ms) { highlight(top, color, ms); }
      }
      s.scripts.adjustBounds();
      edited(s, 'block', 'create');
      const f = p.visual_feedback;
      if (f && f.show_explanation && f.explanation_text) { ide().showMessage(f.explanation_text, 3); }
      return { blocks_created: ids.length, scripts_created: made.length, created_block_ids: ids, sprite_info: spriteInfo(s) };
    },
    read_project(p) {
      const i = ide(), inc = p.include || { sprites: true, scripts: true, variables: true, custom_blocks: true, stage: true };
      const detail = p.detail_level || 'summary', project = { name: i.getProjectName() };
      const scripts = (s) => scriptTops(s).map((t) => ({
        position: scriptPosition(t),
        blocks: sequence(t).map((b) => ({ block_id: idOf.get(b), opcode: b.selector, spec: b.abstractBlockSpec ? b.abstractBlockSpec() : b.blockSpec }))
      }));
      if (inc.sprites) {
        project.sprites = allSprites(i).map((s) => {
          const o = { name: s.name, costume_count: s.costumes.length(), script_count: scriptTops(s).length,
            position: { x: s.xPosition(), y: s.yPosition() }, size: s.getScale(), visible: s.isVisible };
          if (detail !== 'summary' && inc.scripts) { o.scripts = scripts(s); }
          if (detail === 'full') { o.xml = s.scriptsOnlyXML(); }
          return o;
        });
      }
      if (inc.stage) { project.stage = { costume_count: i.stage.costumes.length(), script_count: scriptTops(i.stage).length }; }
      if (inc.variables) { project.global_variables = i.stage.globalVariables().names(); }
      if (inc.custom_blocks) {
        // since Snap! 10 overloaded primitives are global custom blocks, too; they are omitted
        project.custom_blocks = i.stage.globalBlocks.filter((d) => !(d.isBootstrapped && d.isBootstrapped())).map((d) => d.spec.replace(/\s*%'[^']*'/g, '').trim());
      }
      return { project };
    },
    async execute_script(p) {
      const i = ide(), code = String(p.javascript_code);
      // Code that can access `ide` can also access document, window and localStorage; there is no sandbox. An endless
      // loop here freezes the page; only the server's timeout ends the call.
      const run = (body) => new Function('ide', 'world', 'stage', 'sprite', '"use strict";' + body);
      let fn, v;
      try { fn = run('return (' + code.replace(/;\s*$/, '') + '\n);'); } catch (e) {
        if (!(e instanceof SyntaxError)) { throw e; }
        try { fn = run(code); } catch (e2) { throw new Failure('JAVASCRIPT_ERROR', String(e2), {}); }
      }
      try { v = await fn(i, window.world, i.stage, i.currentSprite); } catch (e) {
        throw new Failure('JAVASCRIPT_ERROR', String(e), { stack: String(e && e.stack).split('\n').slice(0, 4) });
      }
      let result = null;
      if (p.return_result && v !== undefined) { try { result = JSON.parse(JSON.stringify(v)); } catch (e) { result = String(v); } }
      return { result };
    },
    inspect_state({ query: q }) {
      const describe = (b) => ({ block_id: idOf.get(b), opcode: b.selector, position: scriptPosition(b), connected_blocks: sequence(b).length - 1 });
      if (q.type === 'sprite') return { sprite_info: spriteInfo(spriteNamed(q.sprite)) };
      if (q.type === 'blocks_by_id') {
        const found = found_by_id(q.block_ids);
        return { blocks_found: found.map(describe), total_count: found.length };
      }
      const found = scriptTops(spriteNamed(q.sprite)).filter((t) => near(t, q));
      return { blocks_found: found.map(describe), total_count: found.length };
    },
    delete_blocks({ target_sprite: name, selection, options = {} }) {
      const s = spriteNamed(name);
      const whole = selection.type !== 'by_id';
      const list = selection.type === 'by_id' ? found_by_id(selection.block_ids) : scriptTops(s).filter((t) => selection.type === 'all_scripts' || near(t, selection));
      const undoable = options.create_undo_snapshot !== false;
      if (undoable) snapshot(s);
      for (const b of list) {
        if (whole) ide().removeBlock(b);
        else b.userDestroy();  // Does not delete the blocks below.
      }
      s.scripts.adjustBounds();
      edited(s, 'block', 'delete');
      return { blocks_deleted: list.length, undo_available: undoable, sprite_info: spriteInfo(s) };
    },
    create_custom_block(p) {
      const i = ide(), params = (p.parameters || []).map((x) => x.name), global = p.scope !== 'sprite_only';
      // Snap! reads a word that begins with % as a slot, but not % alone, or at the end of a word.
      if (/(^|\s)%\S/.test(p.block_name)) { throw new Failure('INVALID_BLOCK_SPEC', 'A word of a block name begins with %', {}); }
      const spec = p.block_name + params.map((n) => ` %'${n}'`).join('');
      const blocks = ((p.definition || {}).blocks || []).map((b) => makeBlock(b, params));
      const top = chain(blocks);
      const body = top ? top.toScriptXML(i.serializer) : '';
      const cats = SpriteMorph.prototype.allCategories();
      const def = `<block-definition s="${xmlEscape(spec)}" type="${p.kind || 'command'}" category="${xmlEscape(cats.includes(p.category) ? p.category : 'other')}">` +
        '<inputs>' + (p.parameters || []).map((x) => `<input type="${PARAM_TYPE[x.type] || '%s'}">${x.default === undefined ? '' : xmlEscape(x.default)}` +
          (PARAM_MENU[x.type] ? `<options>${PARAM_MENU[x.type]}</options>` : '') + '</input>').join('') + '</inputs>' + body + '</block-definition>';
      const xml = `<blocks app="${xmlEscape(i.serializer.app)}" version="${i.serializer.version}">` + (global ? def : `<local>${def}</local>`) + '</blocks>';
      const holder = global ? i.stage.globalBlocks : i.currentSprite.customBlocks, before = holder.length;
      i.rawOpenBlocksString(xml, null, true);                       // true: no import dialog
      const d = holder[holder.length - 1];
      if (!d || holder.length < before || d.blockSpec() === undefined || d.spec !== spec) { throw new Failure('INVALID_BLOCK_SPEC', 'The definition was not accepted', { xml }); }
      return { block_spec: d.blockSpec(), spec: d.spec, scope: global ? 'global' : 'sprite_only', category: d.category, parameters: Array.from(d.declarations.keys()) };
    },
    highlight_blocks({ block_ids: ids, highlight_style: style = {}, show_tooltip: tooltip }) {
      const blocks = found_by_id(ids);
      for (const b of blocks) highlight(b, colorOf(style.color), style.duration_ms ?? 2000);
      if (tooltip) blocks[0].showBubble(tooltip.text, false, ide().currentSprite);
      return { highlighted: ids };
    },
    async export_project({ format = 'xml', include_media: media = false, compress = false }) {
      if (format === 'json') throw new Failure('INVALID_BLOCK_SPEC', 'Snap! has no JSON form of a project', { supported: ['xml', 'blocks_only'] });
      let data = serialize(media);
      if (format === 'blocks_only') data = `<blocks>${(/<blocks>([\s\S]*?)<\/blocks>/.exec(data) || ['', ''])[1]}</blocks>`;
      const size = new TextEncoder().encode(data).length;
      if (!compress) return { project_data: data, size_bytes: size, format };
      const packed = await new Response(new Blob([data]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
      let bytes = '';
      for (const each of new Uint8Array(packed)) bytes += String.fromCharCode(each);
      return { project_data: btoa(bytes), size_bytes: size, format, compressed: true };
    },
  };

  // A checkpoint contains the scripts of every sprite. Returning to it creates new blocks, so their ids change.
  const checkpoints = new Map();
  function checkpoint() {
    const i = ide();
    const number = checkpoints.size + 1;
    checkpoints.set(number, [i.stage, ...allSprites(i)].map((s) => ({ sprite: s, xml: s.scriptsOnlyXML() })));
    return number;
  }
  function rollback(number) {
    for (const { sprite, xml } of checkpoints.get(number) ?? []) sprite.synchScriptsFrom(xml);
    checkpoints.delete(number);
    return true;
  }

  async function carryOut({ command, payload, options = {} }) {
    const begin = performance.now();
    ide();
    // Only commands that change scripts can be rolled back.
    const back = options.rollback_on_error && ['create_blocks', 'delete_blocks', 'create_custom_block'].includes(command) ? checkpoint() : undefined;
    try {
      const value = await commands[command](payload);
      return { ...value, execution_time_ms: Math.round(performance.now() - begin) };
    } catch (error) {
      // Blocks are built detached, so an error before they are attached leaves the project unchanged.
      if (back && !(error instanceof Failure)) rollback(back);
      throw error;
    } finally {
      if (back) checkpoints.delete(back);
    }
  }

  // ---- events ------------------------------------------------------------------------------
  let emit = () => {};
  function wrap(prototype, name, before) {
    const original = prototype[name];
    if (typeof original !== 'function') return;
    prototype[name] = function (...all) {
      try { before.call(this, all); } catch { /* The IDE continues despite an error here. */ }
      return original.apply(this, all);
    };
  }
  function hookEvents() {
    wrap(IDE_Morph.prototype, 'recordUnsavedChanges', ([sprite]) => emit('project_modified', { sprite: typeof sprite === 'string' ? sprite : null }));
    wrap(BlockMorph.prototype, 'mouseClickLeft', function () { emit('user_action', { action: 'block_clicked', block_id: idOf.get(this) ?? null, opcode: this.selector }); });
    wrap(ThreadManager.prototype, 'startProcess', ([block]) => emit('block_executed', { block_id: idOf.get(block) ?? null, opcode: block?.selector ?? null }));
    wrap(Process.prototype, 'handleError', ([error]) => emit('error_occurred', { message: String(error?.message ?? error).slice(0, 1000) }));
    wrap(IDE_Morph.prototype, 'addNewSprite', () => setTimeout(() => emit('sprite_created', { sprite: ide().currentSprite.name }), 0));
  }

  // ---- the relay ---------------------------------------------------------------------------
  const failureOf = (error) => error instanceof Failure
    ? { code: error.code, message: error.message, details: error.details, recovery_suggestions: error.suggestions }
    : { code: 'JAVASCRIPT_ERROR', message: String(error), details: { stack: String(error?.stack).split('\n').slice(0, 5) } };
  let channel;
  window.addEventListener('message', async ({ source, data }) => {
    if (source !== window || data?.to !== 'page' || typeof data.bridgeChannel !== 'string') return;
    const say = (message) => window.postMessage({ bridgeChannel: channel, to: 'relay', ...message }, location.origin);
    if (data.action === 'hello') {
      if (channel) return;
      channel = data.bridgeChannel;
      // Another page on this machine is not Snap!.
      if (typeof IDE_Morph !== 'function') return;
      await untilBooted();
      hookEvents();
      emit = (type, payload) => say({ kind: 'event', type, payload });
      return say({ kind: 'ready' });
    }
    if (data.bridgeChannel !== channel) return;
    try {
      const actions = { command: () => carryOut(data), checkpoint, rollback: () => rollback(data.number) };
      say({ kind: 'answer', id: data.id, value: await actions[data.action]() });
    } catch (error) {
      say({ kind: 'answer', id: data.id, error: failureOf(error) });
    }
  });
  // The browser may start relay.js before this script.
  window.postMessage({ to: 'relay', kind: 'loaded' }, location.origin);
})();
