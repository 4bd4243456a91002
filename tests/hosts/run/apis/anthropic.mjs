// Anthropic's Messages API: how a request carries tool results, and how a scripted turn is sent back.
import { eventStream, json } from './http.mjs';

const textOf = (content) => (typeof content === 'string' ? content
  : (content ?? []).map((block) => (block.type === 'text' ? block.text : JSON.stringify(block))).join('\n'));

export const anthropic = {
  isModelRequest: (url) => url.startsWith('/v1/messages') && !url.includes('count_tokens'),
  // Requests for titles and summaries offer no tools.
  offersTools: (body) => (body.tools ?? []).length > 0,

  resultsOf(body) {
    const blocks = body.messages.flatMap((message) => (Array.isArray(message.content) ? message.content : []));
    return blocks.filter((block) => block.type === 'tool_result')
      .map((block) => ({ id: block.tool_use_id, text: textOf(block.content), isError: block.is_error === true }));
  },

  // What the model reads before and between the tool results: all texts of the system prompt and of the user's messages.
  textsOf(body) {
    const messages = body.messages.filter((message) => message.role !== 'assistant');
    const blocks = messages.flatMap((message) => (Array.isArray(message.content) ? message.content : [{ type: 'text', text: message.content }]));
    const system = Array.isArray(body.system) ? body.system : [{ type: 'text', text: body.system ?? '' }];
    return [...system, ...blocks].filter((block) => block.type === 'text').map((block) => block.text);
  },

  toolsOf: (body) => body.tools ?? [],

  respond(response, body, turn) {
    const block = turn.name ? { type: 'tool_use', id: turn.id, name: turn.name, input: turn.input } : { type: 'text', text: turn.text };
    const stop_reason = turn.name ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = { id: `msg_${turn.id}`, type: 'message', role: 'assistant', model: body.model, content: [], stop_reason: null, stop_sequence: null, usage };
    if (!body.stream) return json(response, 200, { ...message, content: [block], stop_reason });
    const send = eventStream(response);
    const event = (type, more) => send({ type, ...more }, type);
    event('message_start', { message });
    event('content_block_start', { index: 0, content_block: turn.name ? { ...block, input: {} } : { type: 'text', text: '' } });
    event('content_block_delta', { index: 0, delta: turn.name
      ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) } : { type: 'text_delta', text: turn.text } });
    event('content_block_stop', { index: 0 });
    event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } });
    event('message_stop', {});
    response.end();
  },

  respondElsewhere(response, url) {
    if (url.includes('count_tokens')) return json(response, 200, { input_tokens: 10 });
    json(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'not part of the stand-in' } });
  },
};
