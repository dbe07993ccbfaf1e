import { TemplateDocument } from './document.ts'
import { importEgg, isEgg } from './eggs/import-egg.ts'
import { readDocument } from './read-document.ts'

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

/**
 * Reads a template document of our own format or of the Pterodactyl and Pelican formats (PTDL_v1,
 * PTDL_v2, PLCN_v1, PLCN_v2, PLCN_v3), as JSON or YAML text or as a value. Never throws: a document
 * that is not taken is answered with its faults.
 */
export function importTemplate(source: unknown): ImportedTemplate {
  const read = readDocument(source)
  if (!read.ok) return { ok: false, faults: [{ path: '', detail: read.why }] }
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, faults: [{ path: '', detail: 'The document is not an object' }] }
  }
  if (isEgg(value)) return importEgg(value)
  if (!('format' in value)) {
    const detail = 'Neither format ("lodge/v1") nor meta.version ("PTDL_v2", "PLCN_v3", …) is given'
    return { ok: false, faults: [{ path: 'format', detail }] }
  }
  return checkDocument(value, [])
}

/** Holds a finished value against the schema. */
export function checkDocument(value: unknown, warnings: readonly DocumentNote[]): ImportedTemplate {
  const parsed = TemplateDocument.safeParse(value)
  if (parsed.success) return { ok: true, document: parsed.data, warnings }
  const faults = parsed.error.issues
    .slice(0, 20)
    .map((issue) => ({ path: issue.path.join('.'), detail: issue.message }))
  return { ok: false, faults }
}
