import { Problem } from '../../../problem.ts'

/** @param why a sentence without its full stop */
export const unreadable = (why: string): Problem =>
  new Problem('validation_failed', `The mail cannot be read. ${why}`)
