import {
  type ChannelKind,
  type ChannelStyle,
  pluginOfStyle,
} from '@lodge/shared/notification-channels.ts'
import type { Reply } from '../../../api.ts'
import type { Choice } from '../../../ui/fields/field-props.ts'
import { t } from './words.ts'

type Style = Reply<'GET /api/notification-styles'>['items'][number]

/** The form's value for the style of a kind that has only one without plugins. */
export const BUILT_IN = 'plain'

/** The style of a channel of this kind for the form's value. */
export const styleOf = (kind: ChannelKind, chosen: string): ChannelStyle | null =>
  kind === 'discord' || pluginOfStyle(chosen) !== undefined ? chosen : null

/** The styles to choose from; the chosen one stays, even if its plugin is off. */
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
