import { stringify } from 'yaml'
import type { DocumentNote } from './checked-document.ts'
import type { TemplateDocument } from './document.ts'
import { exportEgg } from './eggs/export-egg.ts'

export const EXPORT_FORMATS = ['lodge', 'ptdl_v2', 'plcn_v3'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface ExportedTemplate {
  readonly value: Readonly<Record<string, unknown>>
  readonly warnings: readonly DocumentNote[]
}

/** Writes a template in a format; `importTemplate` of the result gives the same document. */
export function exportTemplate(
  document: TemplateDocument,
  format: ExportFormat,
  exportedAt: Date,
): ExportedTemplate {
  if (format === 'lodge') return { value: document, warnings: [] }
  const { egg, warnings } = exportEgg(
    document,
    format === 'ptdl_v2' ? 'PTDL_v2' : 'PLCN_v3',
    exportedAt,
  )
  return { value: egg, warnings }
}

/** A document value as YAML text, long lines unbroken. */
export const toYaml = (value: Readonly<Record<string, unknown>>): string =>
  stringify(value, { lineWidth: 0 })
