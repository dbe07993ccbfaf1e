import { checkDocument, type ImportedTemplate } from '../checked-document.ts'
import type { TemplateDocument } from '../document.ts'
import { applyPatch, patchBetween } from '../merge-patch.ts'
import { threeWayMerge } from '../three-way-merge.ts'
import { objectOf, own, textOf } from './loose.ts'
import { type EggVersion, plainEgg } from './plain-egg.ts'
import { readEgg } from './read-egg.ts'

/** Where an egg of ours keeps what its format cannot say. */
export const EXTENSION = 'x-lodge'

/** What an egg of this version cannot say of a template; undefined when it can say everything. */
export function extensionOf(document: TemplateDocument, version: EggVersion): unknown {
  const said = readEgg(plainEgg(document, version))
  return patchBetween(said.ok ? said.document : {}, document)
}

/**
 * Reads an egg of any known version with what our own field adds to it. That field only adds: where it and the
 * format differ on what the format can say, somebody edited the document, and what they wrote stands.
 */
export function importEgg(egg: unknown): ImportedTemplate {
  const written = readEgg(egg)
  const extension = own(objectOf(egg), EXTENSION)
  if (!written.ok || extension === undefined) return written
  const patch = written.document.runtime.install ? extension : withoutInstallDetails(extension)
  const extended = checkDocument(applyPatch(written.document, patch), written.warnings)
  if (!extended.ok) return extended
  // What the format would have said of the extended document: any other word in it is a person's.
  const said = readEgg(plainEgg(extended.document, exportVersionOf(egg)))
  if (!said.ok) return said
  const merged = threeWayMerge(said.document, extended.document, written.document)
  return checkDocument(merged, written.warnings)
}

/** Details of an install script that somebody took out of the document go with it; a whole one stays. */
function withoutInstallDetails(extension: unknown): unknown {
  const runtime = objectOf(own(objectOf(extension), 'runtime'))
  const install = objectOf(own(runtime, 'install'))
  if (!install || own(install, 'script') !== undefined) return extension
  const { install: _, ...kept } = runtime ?? {}
  return { ...objectOf(extension), runtime: kept }
}

function exportVersionOf(egg: unknown): EggVersion {
  const version = textOf(own(objectOf(own(objectOf(egg), 'meta')), 'version')) ?? ''
  return version.startsWith('PLCN') ? 'PLCN_v3' : 'PTDL_v2'
}
