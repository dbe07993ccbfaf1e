import {
  type ChannelKind,
  type ChannelStyle,
  pluginOfStyle,
} from '@lodge/shared/notification-channels.ts'
import type { Reply } from '../../../api.ts'
import type { Choice } from '../../../ui/fields/field-props.ts'
import { t } from './words.ts'

type Style = Reply<'GET /api/notification-styles'>['items'][number]

/** What stands in the form for the style of a kind that has but one without plugins. */
export const BUILT_IN = 'plain'

/** The style that a channel of this kind has if this is chosen in the form. */
export const styleOf = (kind: ChannelKind, chosen: string): ChannelStyle | null =>
  kind === 'discord' || pluginOfStyle(chosen) !== undefined ? chosen : null

/** The styles to choose from; one that is chosen stays, though its plugin may be off. */
export function styleChoices(
  kind: ChannelKind,
  chosen: ChannelStyle | null,
  styles: readonly Style[],
): Choice[] {
  const choices = [
    ...(kind === 'discord' ? [] : [{ value: BUILT_IN, label: t.builtInStyle }]),
    ...styles
      .filter(({ kinds }) => kinds.includes(kind))
      .map(({ id, name }) => ({ value: id, label: name })),
  ]
  const missing = pluginOfStyle(chosen)
  return missing === undefined || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen ?? '', label: t.missingStyle({ style: missing }) }]
}
