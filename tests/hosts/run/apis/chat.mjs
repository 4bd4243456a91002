// OpenAI's Chat Completions API: how a request carries tool results, and how a scripted turn is sent back.
import { eventStream, json } from './http.mjs';

const textOf = (content) => (typeof content === 'string' ? content
  : (content ?? []).map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('\n'));

export const chat = {
  isModelRequest: (url) => url.endsWith('/chat/completions'),
  // Requests for titles and summaries offer no tools.
  offersTools: (body) => (body.tools ?? []).length > 0,

  resultsOf: (body) => body.messages.filter((message) => message.role === 'tool')
    .map((message) => ({ id: message.tool_call_id, text: textOf(message.content), isError: false })),

  // What the model reads before and between the tool results: the system prompt and the user's messages.
  textsOf: (body) => body.messages.filter((message) => !['assistant', 'tool'].includes(message.role)).map((message) => textOf(message.content)),

  toolsOf: (body) => (body.tools ?? []).map((tool) => tool.function),

  respond(response, body, turn) {
    const calls = turn.name
      ? [{ index: 0, id: turn.id, type: 'function', function: { name: turn.name, arguments: JSON.stringify(turn.input) } }] : undefined;
    const message = { role: 'assistant', content: turn.text ?? '', ...(calls && { tool_calls: calls }) };
    const finish_reason = calls ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const head = { id: `chatcmpl_${turn.id}`, created: 1, model: body.model };
    if (!body.stream) return json(response, 200, { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage });
    const send = eventStream(response);
    const chunk = (choices, more) => send({ ...head, object: 'chat.completion.chunk', choices, ...more });
    chunk([{ index: 0, delta: message, finish_reason: null }]);
    chunk([{ index: 0, delta: {}, finish_reason }]);
    chunk([], { usage });
    send('[DONE]');
    response.end();
  },

  respondElsewhere(response, url) {
    if (url.endsWith('/models')) return json(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
    json(response, 404, { error: { message: 'not part of the stand-in' } });
  },
};
