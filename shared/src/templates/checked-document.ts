import { TemplateDocument } from './document.ts'

/** A place in a document (`a.b.0`) and what is wrong or was changed there. */
export interface DocumentNote {
  readonly path: string
  readonly detail: string
}

export type ImportedTemplate =
  | {
      readonly ok: true
      readonly document: TemplateDocument
      readonly warnings: readonly DocumentNote[]
    }
  | { readonly ok: false; readonly faults: readonly DocumentNote[] }

/** Validates a finished value against the schema. */
export function checkDocument(value: unknown, warnings: readonly DocumentNote[]): ImportedTemplate {
  const parsed = TemplateDocument.safeParse(value)
  if (parsed.success) return { ok: true, document: parsed.data, warnings }
  const faults = parsed.error.issues
    .slice(0, 20)
    .map((issue) => ({ path: issue.path.join('.'), detail: issue.message }))
  return { ok: false, faults }
}
