import type { Plugin, PluginSignature, PluginSource } from '@lodge/shared/plugins/plugin.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import { entryOf } from '../../ui/data/known.ts'
import { t } from './words.ts'

const STATUS: Readonly<Record<Plugin['status'], { tone: Tone; label: () => string }>> = {
  running: { tone: 'ok', label: () => t.running },
  starting: { tone: 'pend', label: () => t.starting },
  disabled: { tone: 'idle', label: () => t.disabled },
  errored: { tone: 'err', label: () => t.errored },
  incompatible: { tone: 'err', label: () => t.incompatible },
}

/** How the status of a plugin looks. */
export const lookOf = (status: Plugin['status']) =>
  entryOf(STATUS, status, (word) => ({ tone: 'idle', label: () => word }))

export const sourceOf = (source: PluginSource): string =>
  ({ bundled: t.bundled, registry: t.registry, upload: t.upload })[source]

export const signatureOf = (signature: PluginSignature): string =>
  ({
    bundled: t.cameWithLodge,
    verified: t.signedByTrusted,
    unknown: t.signedByUnknown,
    unsigned: t.notSigned,
  })[signature]
