import { type BuiltInTemplate, builtInTemplates } from '@lodge/shared/templates/builtin/all.ts'
import { type Db, inOneTransaction } from '../../db/database.ts'
import { sameDocument, sameRuntime } from './compare.ts'
import { findTemplates, insertTemplate, lockTemplate, storeDocument } from './store.ts'
import type { TemplateRow } from './tables.ts'

export interface Seeded {
  readonly added: number
  readonly upgraded: number
}

/**
 * Installs the built-in templates: adds missing ones and updates those of an older Lodge, as a new
 * version if servers would differ. One edited by an administrator has become a custom template and
 * is left alone. Several instances may run this at once.
 */
export async function seedBuiltInTemplates(
  { db }: { readonly db: Db },
  builtIns: readonly BuiltInTemplate[] = builtInTemplates(),
): Promise<Seeded> {
  const rows = await findTemplates(
    db,
    builtIns.map(({ uuid }) => uuid),
  )
  const seeded = { added: 0, upgraded: 0 }
  for (const one of builtIns) {
    // Nearly every start finds all of them as they should be, and locks none.
    const row = rows.find(({ id }) => id === one.uuid)
    if (row && isCurrent(row, one)) continue
    const did = await inOneTransaction(db, (tx) => seedOne(tx, one))
    if (did) seeded[did]++
  }
  return seeded
}

async function seedOne(db: Db, one: BuiltInTemplate): Promise<keyof Seeded | undefined> {
  const { uuid, document, featured = false } = one
  const { name, description } = document
  const row = await lockTemplate(db, uuid)
  if (!row) {
    const fresh = {
      ...{ id: uuid, name, description, document, featured },
      origin: 'builtin' as const,
    }
    return (await insertTemplate(db, fresh)) ? 'added' : undefined
  }
  if (isCurrent(row, one)) return undefined
  const version = sameRuntime(row.document, document) ? row.version : row.version + 1
  await storeDocument(db, row, { document, version })
  return 'upgraded'
}

/** Whether a row needs no update: it belongs to the host, or has this document. */
const isCurrent = (row: TemplateRow, { document }: BuiltInTemplate): boolean =>
  row.origin !== 'builtin' || sameDocument(row.document, document)
