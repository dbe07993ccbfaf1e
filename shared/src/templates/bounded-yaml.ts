import {
  type Document,
  type DocumentOptions,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
} from 'yaml'

/** Parses one YAML document in linear time, hostile text included. Throws an Error with the first fault. */
export function parseBoundedYaml(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
): Document.Parsed {
  // A text can have one fault per character; each pretty error costs the length of the text, and
  // stack traces cost most of the rest.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  let document: Document.Parsed
  try {
    document = parseDocument(text, {
      logLevel: 'error',
      prettyErrors: false,
      uniqueKeys: false,
      ...options,
    })
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  const [fault] = document.errors
  if (fault) throw new Error(`${fault.message.split('\n')[0]} (line ${lineAt(text, fault.pos[0])})`)
  return document
}

const lineAt = (text: string, position: number): number =>
  text.slice(0, position).split('\n').length
