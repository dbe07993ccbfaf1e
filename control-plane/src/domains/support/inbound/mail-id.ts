import { createHash } from 'node:crypto'

/** An id for a mail without one, derived from its content. */
export const idOf = (content: Buffer): string =>
  `<${createHash('sha256').update(content).digest('hex')}@without-id.invalid>`
