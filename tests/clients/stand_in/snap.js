// A stand-in for Snap!: the objects and method names that the extension's page.js uses, with minimal behaviour.
// Written for the tests after the behaviour of Snap!; it contains no code of Snap!.
'use strict';

class Point {
  constructor(x, y) { this.x = x; this.y = y; }
  add(other) { return new Point(this.x + other.x, this.y + other.y); }
  subtract(other) { return new Point(this.x - other.x, this.y - other.y); }
}
class Color {
  constructor(r, g, b) { Object.assign(this, { r, g, b }); }
}
class Morph {
  constructor() { this.children = []; this.parent = null; this.position = new Point(0, 0); }
  add(child) {
    child.parent?.removeChild(child);
    this.children.push(child);
    child.parent = this;
  }
  // As in Snap!, the child keeps its reference to the parent.
  removeChild(child) { this.children = this.children.filter((each) => each !== child); }
  topLeft() { return this.position; }
  setPosition(point) { this.position = point; }
  parentThatIsA(kind) { return this instanceof kind ? this : this.parent?.parentThatIsA(kind) ?? null; }
  fullChanged() {}
}
class SyntaxElementMorph extends Morph {
  replaceInput(slot, block) {
    if (this.slots) this.slots = this.slots.map((each) => (each === slot ? block : each));
    this.children = this.children.map((each) => (each === slot ? block : each));
    block.parent = this;
  }
}
SyntaxElementMorph.prototype.scale = 1.5;
SyntaxElementMorph.prototype.activeHighlight = new Color(153, 255, 213);

class InputSlotMorph extends SyntaxElementMorph {
  setContents(value) { this.contents = value; }
}
class CommandSlotMorph extends SyntaxElementMorph {
  nestedBlock(block) {
    if (block) { this.children = []; this.add(block); }
    return this.children[0] ?? null;
  }
}
class MultiArgMorph extends SyntaxElementMorph {
  constructor() { super(); this.add(new InputSlotMorph()); this.add(new InputSlotMorph()); }
  inputs() { return this.children; }
  addInput() { this.add(new InputSlotMorph()); }
}
class BlockMorph extends SyntaxElementMorph {
  constructor(selector, slots) {
    super();
    this.selector = selector;
    this.blockSpec = selector;
    this.slots = slots;
    for (const slot of slots) this.add(slot);
    this.below = null;
  }
  inputs() { return this.slots; }
  abstractBlockSpec() { return this.blockSpec; }
  fixBlockColor() {}
  fixLayout() {}
  highlight(color) { return { color }; }
  addBack(halo) { this.halo = halo; }
  removeHighlight() { this.halo = null; }
  showBubble(text) { this.bubble = text; }
  mouseClickLeft() { new ThreadManager().startProcess(this); }
  toScriptXML() { return `<script><block s="${this.selector}"/></script>`; }
  topLeft() { return this.parent instanceof BlockMorph ? this.parent.topLeft() : this.position; }
  plain() {
    return { selector: this.selector, x: this.position.x, y: this.position.y, contents: this.slots.map((each) => each.contents ?? null), below: this.below?.plain() ?? null };
  }
}
class CommandBlockMorph extends BlockMorph {
  nextBlock(block) {
    if (block) { this.below = block; this.add(block); }
    return this.below;
  }
  userDestroy() {
    const { parent, below } = this;
    parent.removeChild(this);
    if (parent instanceof CommandBlockMorph) {
      parent.below = null;
      if (below) parent.nextBlock(below);
    } else if (below) {
      below.setPosition(this.position);
      parent.add(below);
    }
  }
}
class HatBlockMorph extends CommandBlockMorph {}
class ReporterBlockMorph extends BlockMorph {}
class ScriptsMorph extends Morph {
  constructor() { super(); this.position = new Point(100, 40); }
  adjustBounds() {}
}

const list = (items) => ({ length: () => items.length, asArray: () => items });
class SpriteMorph extends Morph {
  constructor(name) {
    super();
    this.name = name;
    this.scripts = new ScriptsMorph();
    this.costumes = list([{ name: 'costume' }]);
    this.customBlocks = [];
    this.isVisible = true;
    this.x = 0;
    this.y = 0;
  }
  xPosition() { return this.x; }
  yPosition() { return this.y; }
  gotoXY(x, y) { this.x = x; this.y = y; }
  show() { this.isVisible = true; }
  getScale() { return 100; }
  recordUserEdit(...details) { world.children[0].recordUnsavedChanges(this.name, details); }
  scriptsOnlyXML() { return JSON.stringify(this.scripts.children.map((each) => each.plain())); }
  synchScriptsFrom(xml) {
    this.scripts.children = [];
    const revive = (plain) => {
      const block = SpriteMorph.prototype.blockForSelector(plain.selector);
      plain.contents.forEach((each, i) => block.inputs()[i]?.setContents?.(each));
      if (plain.below) block.nextBlock(revive(plain.below));
      block.setPosition(new Point(plain.x, plain.y));
      return block;
    };
    for (const each of JSON.parse(xml)) this.scripts.add(revive(each));
  }
  blockForSelector(selector) {
    const { kind, slots } = SpriteMorph.prototype.blocks[selector] ?? {};
    return kind ? new kind(selector, slots.map((slot) => new slot())) : null;
  }
  variableBlock(name) {
    const block = new ReporterBlockMorph('reportGetVar', []);
    block.blockSpec = name;
    return block;
  }
  allCategories() { return ['motion', 'control', 'looks', 'sound', 'sensing', 'operators', 'variables', 'other']; }
}
SpriteMorph.prototype.blockMigrations = {};
SpriteMorph.prototype.blocks = {
  receiveKey: { kind: HatBlockMorph, slots: [InputSlotMorph, InputSlotMorph] },
  receiveGo: { kind: HatBlockMorph, slots: [] },
  changeYPosition: { kind: CommandBlockMorph, slots: [InputSlotMorph] },
  gotoXY: { kind: CommandBlockMorph, slots: [InputSlotMorph, InputSlotMorph] },
  doWait: { kind: CommandBlockMorph, slots: [InputSlotMorph] },
  doForever: { kind: CommandBlockMorph, slots: [CommandSlotMorph] },
  playSound: { kind: CommandBlockMorph, slots: [InputSlotMorph] },
  reportVariadicProduct: { kind: ReporterBlockMorph, slots: [MultiArgMorph] },
};
class StageMorph extends SpriteMorph {
  constructor() { super('Stage'); this.globalBlocks = []; this.variables = ['score', 'level']; }
  globalVariables() { return { names: () => this.variables }; }
}
class ThreadManager {
  startProcess(block) { this.started = block; }
}
class Process {
  handleError(error) { this.error = error; }
}
class Project {
  constructor(scenes, scene) { Object.assign(this, { scenes, scene }); }
}
class IDE_Morph extends Morph {
  constructor() {
    super();
    this.stage = new StageMorph();
    this.currentSprite = new SpriteMorph('Sprite');
    this.sprites = list([this.currentSprite, new SpriteMorph('Cat')]);
    this.scenes = [];
    this.scene = { captureGlobalSettings() { this.captured = true; }, applyGlobalSettings() { this.captured = false; } };
    this.serializer = {
      app: 'Stand-in', version: 2, isCollectingMedia: false, flushMedia() {},
      serialize: () => `<project name="Jump"><blocks>${this.stage.globalBlocks.map((each) => `<block-definition s="${each.spec}"/>`).join('')}</blocks><sprites>${this.sprites.asArray().map((each) => each.name)}</sprites></project>`,
    };
    this.changes = 0;
  }
  getProjectName() { return 'Jump'; }
  // As in Snap!: an unknown name returns the current sprite.
  spriteNamed(name) { return this.sprites.asArray().find((each) => each.name === name) ?? this.currentSprite; }
  recordUnsavedChanges() { ++this.changes; }
  removeBlock(block) { block.parent.removeChild(block); }
  showMessage(text) { this.message = text; }
  addNewSprite() { this.sprites.asArray().push(new SpriteMorph('New')); }
  rawOpenBlocksString(xml) {
    for (const each of new DOMParser().parseFromString(xml, 'text/xml').querySelectorAll('block-definition')) {
      const spec = each.getAttribute('s');
      const names = [...spec.matchAll(/%'([^']*)'/g)].map(([, name]) => name);
      this.stage.globalBlocks.push({
        spec, category: each.getAttribute('category'), declarations: new Map(names.map((name) => [name, []])),
        blockSpec: () => spec.replace(/%'[^']*'/g, '%s'),
      });
    }
  }
}
window.world = { children: [new IDE_Morph()], hand: { children: [] } };
