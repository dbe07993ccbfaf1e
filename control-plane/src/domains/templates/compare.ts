import { isDeepStrictEqual } from 'node:util'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'

/** Whether two documents produce the same servers, ignoring names and pictures. */
export const sameRuntime = (a: TemplateDocument, b: TemplateDocument): boolean =>
  isDeepStrictEqual(plain([a.runtime, a.variables]), plain([b.runtime, b.variables]))

export const sameDocument = (a: TemplateDocument, b: TemplateDocument): boolean =>
  isDeepStrictEqual(plain(a), plain(b))

/** Drops undefined fields, as the database does. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
