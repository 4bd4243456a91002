// Google's Gemini API: how a request carries tool results, and how a scripted turn is sent back.
import { json } from './http.mjs';

const partsOf = (body) => (body.contents ?? []).flatMap((content) => (content.parts ?? []).map((part) => ({ ...part, role: content.role })));

// The host passes on one string, `output` or `error`; it shows any other value unchanged.
function textOf(response) {
  const [key, ...more] = Object.keys(response);
  return more.length === 0 && typeof response[key] === 'string' ? response[key] : JSON.stringify(response);
}

export const gemini = {
  isModelRequest: (url) => /:(generateContent|streamGenerateContent)\b/.test(url),
  // Requests that route or summarize a prompt offer no tools.
  offersTools: (body) => gemini.toolsOf(body).length > 0,

  // Calls have no ids that the API guarantees, so a result belongs to the call with the same number.
  resultsOf: (body) => partsOf(body).filter((part) => part.functionResponse)
    .map(({ functionResponse: { response } }, at) => ({ id: `call_${at + 1}`, text: textOf(response), isError: 'error' in response })),

  // What the model reads before and between the tool results: the system instruction and the user's parts.
  textsOf: (body) => [...(body.systemInstruction?.parts ?? []), ...partsOf(body).filter((part) => part.role !== 'model')]
    .filter((part) => typeof part.text === 'string').map((part) => part.text),

  toolsOf: (body) => (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []),

  respond(response, body, turn, url) {
    const part = turn.name ? { functionCall: { name: turn.name, args: turn.input } } : { text: turn.text };
    const answer = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }, modelVersion: 'scripted',
    };
    if (!url.includes('stream')) return json(response, 200, answer);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(answer)}\r\n\r\n`);
  },

  respondElsewhere(response, url) {
    if (url.includes(':countTokens')) return json(response, 200, { totalTokens: 10 });
    json(response, 404, { error: { code: 404, message: 'not part of the stand-in', status: 'NOT_FOUND' } });
  },
};
