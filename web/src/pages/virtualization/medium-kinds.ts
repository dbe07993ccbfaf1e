import type { Choice } from '../../ui/fields/field-props.ts'
import { t } from './words.ts'

export type MediumKind = 'iso' | 'qcow2' | 'raw'

const labels = (): Readonly<Record<MediumKind, string>> => ({
  iso: t.formIso,
  qcow2: t.formQcow2,
  raw: t.formRaw,
})

/** Media kinds as choices of a form. */
export const mediumKinds = (kinds: readonly MediumKind[]): Choice[] =>
  kinds.map((value) => ({ value, label: labels()[value] }))
