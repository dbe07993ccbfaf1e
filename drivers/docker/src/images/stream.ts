/**
 * Reads the engine's progress messages during a pull, load or import: one JSON document per line.
 * Throws an `Error` with the engine's message when one of them is an error.
 */
export async function readMessages(
  stream: NodeJS.ReadableStream,
  onMessage: (message: EngineMessage) => void,
): Promise<void> {
  let rest = ''
  for await (const chunk of stream) {
    rest += chunk.toString()
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line, onMessage)
  }
  take(rest, onMessage)
}

export interface EngineMessage {
  readonly id?: string
  readonly status?: string
  readonly stream?: string
  readonly error?: string
  readonly progressDetail?: { readonly current?: number; readonly total?: number }
}

function take(line: string, onMessage: (message: EngineMessage) => void): void {
  if (line.trim() === '') return
  const message: EngineMessage = JSON.parse(line)
  if (message.error) throw new Error(message.error)
  onMessage(message)
}
