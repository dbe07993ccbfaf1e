import { checkDocument, type ImportedTemplate } from './checked-document.ts'
import { importEgg } from './eggs/extension.ts'
import { isEgg } from './eggs/read-egg.ts'
import { readDocument } from './read-document.ts'
import { undeclaredPlaceholders } from './undeclared.ts'

/**
 * Reads a template document in our own format or a Pterodactyl or Pelican one (PTDL_v1, PTDL_v2,
 * PLCN_v1, PLCN_v2, PLCN_v3), as JSON or YAML text or as a value. Never throws: returns the faults
 * of a document that it refuses.
 */
export function importTemplate(source: unknown): ImportedTemplate {
  const result = readTemplate(source)
  if (!result.ok) return result
  const warnings = [...result.warnings, ...undeclaredPlaceholders(result.document)]
  return { ...result, warnings }
}

function readTemplate(source: unknown): ImportedTemplate {
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
