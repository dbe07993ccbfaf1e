import {
  type ChannelKind,
  type ChannelStyle,
  isStyled,
  styleOfPlugin,
} from '@lodge/shared/notification-channels.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { stylesOf } from '../../plugins/index.ts'

interface Style {
  readonly id: ChannelStyle
  readonly name: string
  /** The kinds of channels that may choose it. */
  readonly kinds: ChannelKind[]
}

const BUILT_IN: readonly Style[] = [
  { id: 'plain', name: 'Plain text', kinds: ['discord'] },
  { id: 'card', name: 'Card', kinds: ['discord'] },
]

/** The styles that messages to channels can have. */
export async function listStyles(ctx: Pick<Ctx, 'db'>): Promise<Style[]> {
  const ofPlugins = (await stylesOf(ctx)).map(({ pluginId, name, channels }) => ({
    ...{ id: styleOfPlugin(pluginId), name, kinds: [...channels] },
  }))
  return [...BUILT_IN, ...ofPlugins]
}

/** Refuses a style that a channel of this kind cannot have. */
export async function requireStyle(
  ctx: Pick<Ctx, 'db'>,
  kind: ChannelKind,
  style: ChannelStyle,
): Promise<void> {
  const complain = (detail: string) => invalid([{ pointer: '/style', detail }])
  if (!isStyled(kind)) throw complain(`is not for channels of the kind ${kind}`)
  const known = await listStyles(ctx)
  if (!known.some(({ id, kinds }) => id === style && kinds.includes(kind)))
    throw complain('is not one of GET /api/notification-styles for this kind of channel')
}
