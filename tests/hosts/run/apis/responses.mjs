// OpenAI's Responses API: how a request carries tool results, and how a scripted turn is sent back.
import { eventStream, json } from './http.mjs';

const textOf = (output) => (typeof output === 'string' ? output
  : output.map((part) => (part.type === 'input_text' ? part.text : JSON.stringify(part))).join('\n'));

// The output item of a turn. Tools of an MCP server are called by their namespace and name; `search` is the tool that loads them.
function itemOf(turn) {
  const head = { id: `item_${turn.id}`, status: 'completed' };
  if (!turn.name) return { ...head, type: 'message', role: 'assistant', content: [{ type: 'output_text', text: turn.text, annotations: [] }] };
  if (turn.name === 'tool_search') return { ...head, type: 'tool_search_call', call_id: turn.id, execution: 'client', arguments: turn.input };
  if (turn.freeForm) return { ...head, type: 'custom_tool_call', call_id: turn.id, name: turn.name, input: turn.input };
  return { ...head, type: 'function_call', call_id: turn.id, name: turn.name, ...(turn.namespace && { namespace: turn.namespace }), arguments: JSON.stringify(turn.input) };
}

// The tools of a request. In code mode they are an item of its input.
const toolsOf = (body) => [...(body.tools ?? []), ...body.input.filter((item) => item.type === 'additional_tools').flatMap((item) => item.tools)];

export const responses = {
  isModelRequest: (url) => url.endsWith('/responses'),
  offersTools: (body) => toolsOf(body).length > 0,

  resultsOf: (body) => body.input.filter((item) => /_output$/.test(item.type))
    .map((item) => ({ id: item.call_id, text: item.type === 'tool_search_output' ? JSON.stringify(item.tools) : textOf(item.output), isError: false })),

  // What the model reads before and between the tool results: the instructions, and the developer's and user's messages.
  textsOf: (body) => [body.instructions ?? '', ...body.input.filter((item) => item.type === 'message' && item.role !== 'assistant').map((item) => textOf(item.content))],

  toolsOf,

  respond(response, body, turn) {
    const item = itemOf(turn);
    const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 15 };
    const head = { id: `resp_${turn.id}`, object: 'response', model: body.model, status: 'in_progress', output: [] };
    const send = eventStream(response);
    let sequence_number = 0;
    const event = (type, more) => send({ type, sequence_number: sequence_number++, ...more }, type);
    event('response.created', { response: head });
    event('response.output_item.added', { output_index: 0, item: item.type === 'message' ? { ...item, content: [] } : item });
    if (item.type === 'message') event('response.output_text.delta', { item_id: item.id, output_index: 0, content_index: 0, delta: turn.text });
    event('response.output_item.done', { output_index: 0, item });
    event('response.completed', { response: { ...head, status: 'completed', output: [item], usage } });
    response.end();
  },

  respondElsewhere: (response) => json(response, 404, { error: { message: 'not part of the stand-in' } }),
};
