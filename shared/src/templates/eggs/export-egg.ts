import type { DocumentNote } from '../checked-document.ts'
import type { TemplateDocument } from '../document.ts'
import { EXTENSION, extensionOf } from './extension.ts'
import { type EggVersion, plainEgg } from './plain-egg.ts'
import { EGG_DATA_PATH } from './read-egg.ts'

export interface ExportedEgg {
  /** The document as a value for JSON or YAML. */
  readonly egg: Readonly<Record<string, unknown>>
  /** What other panels will not understand. */
  readonly warnings: readonly DocumentNote[]
}

/**
 * Writes a template in another panel's format. What that format cannot express goes into an
 * extension field that other panels ignore and `importTemplate` reads, so that a round trip loses
 * nothing.
 */
export function exportEgg(
  document: TemplateDocument,
  version: EggVersion,
  exportedAt: Date,
): ExportedEgg {
  const plain = {
    _comment: 'Exported by Lodge',
    exported_at: exportedAt.toISOString(),
    ...plainEgg(document, version),
  }
  const extension = extensionOf(document, version)
  if (extension === undefined) return { egg: plain, warnings: [] }
  return { egg: { ...plain, [EXTENSION]: extension }, warnings: warningsOf(document) }
}

function warningsOf({ runtime }: TemplateDocument): DocumentNote[] {
  const warnings: DocumentNote[] = []
  if (runtime.images.some((image) => image.source.kind !== 'registry')) {
    warnings.push({
      path: 'docker_images',
      detail: 'Images made from Debian packages exist on Lodge only',
    })
  }
  if (runtime.startup.kind === 'argv') {
    warnings.push({
      path: 'startup',
      detail: 'Other panels need an image whose entry point reads STARTUP',
    })
  }
  if (runtime.dataPath !== EGG_DATA_PATH) {
    warnings.push({
      path: 'startup',
      detail: `Other panels put the data folder at ${EGG_DATA_PATH}`,
    })
  }
  return warnings
}
