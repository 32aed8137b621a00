// Reads the lines of one transcript into what happened: messages, calls, results, text that was added, boundaries.
// The format is undocumented and changes, so every field may be missing or of another type, and a line that is not understood says
// nothing. Judges nothing, and counts nothing but the turns.

/**
 * @typedef {(
 *   | { kind: 'line', uuid: string | null, parent: string | null }
 *   | { kind: 'message', id: string, turn: number, context: number, output: number, uuid: string | null }
 *   | { kind: 'call', id: string, turn: number, tool: string, input: object, cwd: string | null, time: string | null }
 *   | { kind: 'result', id: string, block: object, extra: unknown }
 *   | { kind: 'added', characters: number, hasImage: boolean }
 *   | { kind: 'boundary' }
 *   | { kind: 'unreadable' } | { kind: 'foreign' }
 * ) & { agent?: string }} Event `agent` is empty for the main agent
 *   `context`: the tokens that the request held, 0 where the line does not tell; `time` as it stands in the line
 */

/**
 * @param {{ session: string | null, isAgent: boolean }} file `session`: whose lines these are, where the file's name tells
 */
export function createReader({ session, isAgent }) {
  let own = session;
  let inlineAgents = 0;
  /** The agent of each line of a subagent that stands in the session's own file. */
  const inline = new Map();
  /** Turns by agent and message: one message is written as several lines. */
  const turns = new Map();

  return {
    /** The session's id, as far as it is known by now. */
    get session() {
      return own;
    },

    /**
     * @param {string} text one line
     * @returns {Generator<Event>}
     */
    *read(text) {
      const record = parsed(text);
      if (record === null) return;
      if (record === undefined) return yield { kind: 'unreadable' };
      if (typeof record.sessionId === 'string') {
        own ??= record.sessionId;
        if (record.sessionId !== own) return yield { kind: 'foreign' };
      }
      const agent = agentOf(record);
      yield { kind: 'line', agent, uuid: textOr(record.uuid), parent: textOr(record.parentUuid) };
      if (record.type === 'assistant') yield* assistant(record, agent);
      else if (record.type === 'user') yield* user(record, agent);
      else if (record.type === 'attachment') yield { kind: 'added', agent, characters: renderedLength(record), hasImage: false };
      else if (record.type === 'system' && record.subtype === 'compact_boundary') yield { kind: 'boundary', agent };
    },
  };

  function agentOf({ agentId, isSidechain, uuid, parentUuid }) {
    if (isAgent) return textOr(agentId) ?? 'agent';
    if (isSidechain !== true) return '';
    if (typeof agentId === 'string') return agentId;
    const known = inline.get(parentUuid) ?? `inline-${(inlineAgents += 1)}`;
    inline.set(uuid, known);
    return known;
  }

  function turnOf(agent, id) {
    if (!turns.has(agent)) turns.set(agent, new Map());
    const known = turns.get(agent);
    if (!known.has(id)) known.set(id, known.size + 1);
    return known.get(id);
  }

  function* assistant(record, agent) {
    const { message } = record;
    // Lines that the client made up itself: errors, interruptions.
    if (!isObject(message) || record.isApiErrorMessage === true || message.model === '<synthetic>') return;
    const id = textOr(message.id) ?? textOr(record.requestId) ?? textOr(record.uuid) ?? '';
    const turn = turnOf(agent, id);
    const usage = isObject(message.usage) ? message.usage : {};
    const context = number(usage.input_tokens) + number(usage.cache_read_input_tokens) + number(usage.cache_creation_input_tokens);
    yield { kind: 'message', agent, id, turn, context, output: number(usage.output_tokens), uuid: textOr(record.uuid) };
    for (const block of blocksOf(message.content)) {
      if (block.type !== 'tool_use' || typeof block.id !== 'string' || typeof block.name !== 'string') continue;
      yield { kind: 'call', agent, id: block.id, turn, tool: block.name, input: isObject(block.input) ? block.input : {}, cwd: textOr(record.cwd), time: textOr(record.timestamp) };
    }
  }

  function* user(record, agent) {
    const blocks = blocksOf(record.message?.content);
    const results = blocks.filter(({ type }) => type === 'tool_result');
    for (const block of blocks) {
      const text = block.type === 'tool_result' ? resultText(block) : (textOr(block.text) ?? '');
      yield { kind: 'added', agent, characters: text.length, hasImage: block.type === 'image' || imagesOf(block) > 0 };
    }
    for (const block of results) {
      if (typeof block.tool_use_id !== 'string') continue;
      // The copy for the person's screen stands once in a line, so with several results nobody knows whose it is.
      yield { kind: 'result', agent, id: block.tool_use_id, block, extra: results.length === 1 ? record.toolUseResult : undefined };
    }
  }
}

/** What the model was shown of a result, as text. */
export function resultText({ content }) {
  return blocksOf(content)
    .map(({ text }) => textOr(text) ?? '')
    .join('\n');
}

/** How many images a result holds, whose tokens no length tells. */
export function imagesOf({ content }) {
  return Array.isArray(content) ? content.filter((block) => block?.type === 'image').length : 0;
}

/** Undefined for a line that is no object in JSON, null for one that is empty. */
function parsed(text) {
  // A crash of the machine leaves runs of NUL behind.
  const line = text.replaceAll('\0', '').replace(/^\ufeff/, '').trim();
  if (line === '') return null;
  try {
    const record = JSON.parse(line);
    return isObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The blocks of a content, which is a text or a list. */
function blocksOf(content) {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The length of an attachment as the model got it. */
function renderedLength({ rendered, attachment }) {
  const parts = Array.isArray(rendered) ? rendered.map((part) => part?.content) : [attachment?.content].flat();
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOr(value) {
  return typeof value === 'string' ? value : null;
}

function number(value) {
  return Number.isFinite(value) ? value : 0;
}
