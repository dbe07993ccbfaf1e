import type { DocumentNote } from '@lodge/shared/templates/checked-document.ts'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { type ExportFormat, exportTemplate } from '@lodge/shared/templates/export-template.ts'
import { importTemplate } from '@lodge/shared/templates/import-template.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { findTemplate } from './store.ts'
import type { TemplateRow } from './tables.ts'
import { createTemplate, editTemplate } from './templates.ts'

export const ImportTemplate = z
  .strictObject({
    /** A document in our own or another panel's format: an object, or JSON or YAML text. */
    document: z.union([z.string().min(1), z.record(z.string(), z.unknown())]),
    id: z.uuid().optional(),
    /** Replaces the template with this identity. */
    overwrite: z.boolean().optional(),
    /**
     * Creates a separate template regardless of the document's identity, with "(copy)" appended to
     * its name.
     */
    asCopy: z.boolean().optional(),
  })
  .refine(({ overwrite, asCopy }) => !(overwrite && asCopy), {
    path: ['asCopy'],
    message: 'cannot be asked for together with overwrite',
  })
  .refine(({ id, asCopy }) => !(id && asCopy), {
    path: ['id'],
    message: 'cannot be given for a copy, which gets an id of its own',
  })
type ImportTemplate = z.infer<typeof ImportTemplate>

/** Imports a document. Anything that could not be taken over unchanged is returned as a warning. */
export async function importDocument(
  ctx: Ctx,
  given: ImportTemplate,
): Promise<{ row: TemplateRow; warnings: readonly DocumentNote[] }> {
  const result = importTemplate(given.document)
  if (!result.ok) throw invalidTemplate(result.faults)
  const document = given.asCopy ? copyOf(result.document) : result.document
  const warnings = result.warnings.map((warning) => `${warning.path}: ${warning.detail}`)
  const id = given.id ?? document.uuid
  const present = id === undefined ? undefined : await findTemplate(ctx.db, id)
  const row =
    present && given.overwrite
      ? await editTemplate(ctx, present.id, document, { warnings })
      : await createTemplate(ctx, document, { id, warnings })
  return { row, warnings: result.warnings }
}

const COPY = ' (copy)'

/** The document under a new identity. */
function copyOf({ uuid: _, ...document }: TemplateDocument): TemplateDocument {
  return { ...document, name: `${document.name.slice(0, 128 - COPY.length)}${COPY}` }
}

function invalidTemplate(faults: readonly DocumentNote[]): Problem {
  const errors = faults.map(({ path, detail }) => ({
    pointer: path === '' ? '/document' : `/document/${path.replaceAll('.', '/')}`,
    detail,
  }))
  const first = faults[0]
  const detail = first ? [first.path, first.detail].filter(Boolean).join(': ') : 'It is not valid'
  return new Problem('invalid_template', detail.slice(0, 2000), { fields: { errors } })
}

export interface ExportedFile {
  readonly name: string
  readonly value: Readonly<Record<string, unknown>>
}

/** The template as a document for archiving or for another panel. */
export function exportDocument(row: TemplateRow, format: ExportFormat, now: Date): ExportedFile {
  const { value } = exportTemplate({ ...row.document, uuid: row.id }, format, now)
  const name = row.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return { name: `${name || 'template'}.${format}.json`, value }
}
