import type { Choice } from '../../ui/fields/field-props.ts'
import type { SettingsGroup } from './settings-text.ts'
import { t } from './words.ts'

interface KnownDefault {
  readonly default?: unknown
}

const pointerOf = (group: SettingsGroup, name: string): string =>
  group.fields[name]?.at ?? `/${name}`

/**
 * The default of a setting in the form of its field's value; undefined when unknown. For several
 * fields under one pointer, the first one decides.
 */
export function fieldDefault(
  group: SettingsGroup,
  name: string,
  origin: KnownDefault | undefined,
  sample: unknown,
): unknown {
  const pointer = pointerOf(group, name)
  const first = Object.keys(group.fields).find((other) => pointerOf(group, other) === pointer)
  if (first !== name) return undefined
  const usual = origin?.default === undefined ? group.defaults?.[name] : origin.default
  if (usual === null) return typeof sample === 'boolean' ? false : ''
  return Array.isArray(usual) ? usual.join('\n') : usual
}

/** A default in words: `80`, `On`, `empty`, or the label of its choice. */
export function defaultWords(usual: unknown, choices: readonly Choice[] = []): string {
  if (typeof usual === 'boolean') return usual ? t.on : t.off
  if (usual === '' || usual === undefined) return t.emptyDefault
  const words = String(usual)
  return choices.find(({ value }) => value === words)?.label ?? words
}
