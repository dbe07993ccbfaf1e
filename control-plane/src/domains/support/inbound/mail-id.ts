import { createHash } from 'node:crypto'

/** An id for a mail that has none: the same mail has the same. */
export const idOf = (content: Buffer): string =>
  `<${createHash('sha256').update(content).digest('hex')}@without-id.invalid>`
