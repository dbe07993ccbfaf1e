import type { Choice } from '../../ui/fields/field-props.ts'

export type MediumKind = 'iso' | 'qcow2' | 'raw'

const LABELS: Readonly<Record<MediumKind, string>> = {
  iso: 'Installation medium (ISO)',
  qcow2: 'Disk image, qcow2 (cloud image)',
  raw: 'Disk image, raw',
}

/** Media kinds as choices of a form. */
export const mediumKinds = (kinds: readonly MediumKind[]): Choice[] =>
  kinds.map((value) => ({ value, label: LABELS[value] }))
