import { checkDocument, type ImportedTemplate } from '../checked-document.ts'
import type { TemplateDocument } from '../document.ts'
import { applyPatch, patchBetween } from '../merge-patch.ts'
import { threeWayMerge } from '../three-way-merge.ts'
import { objectOf, own, textOf } from './loose.ts'
import { type EggVersion, plainEgg } from './plain-egg.ts'
import { readEgg } from './read-egg.ts'

/** The field for what an egg's format cannot express. */
export const EXTENSION = 'x-lodge'

/** What an egg of this version cannot express of a template; undefined when it expresses everything. */
export function extensionOf(document: TemplateDocument, version: EggVersion): unknown {
  const expressed = readEgg(plainEgg(document, version))
  return patchBetween(expressed.ok ? expressed.document : {}, document)
}

/**
 * Reads an egg of any known version with our extension field. The field only adds: where it
 * contradicts the format, somebody edited the document, and the edit wins.
 */
export function importEgg(egg: unknown): ImportedTemplate {
  const written = readEgg(egg)
  const extension = own(objectOf(egg), EXTENSION)
  if (!written.ok || extension === undefined) return written
  const patch = written.document.runtime.install ? extension : withoutInstallDetails(extension)
  const extended = checkDocument(applyPatch(written.document, patch), written.warnings)
  if (!extended.ok) return extended
  // What the format would have contained for the extended document; any difference is a person's
  // edit.
  const expressed = readEgg(plainEgg(extended.document, exportVersionOf(egg)))
  if (!expressed.ok) return expressed
  const merged = threeWayMerge(expressed.document, extended.document, written.document)
  return checkDocument(merged, written.warnings)
}

/** Drops the details of an install script that somebody removed from the document; keeps a complete one. */
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
