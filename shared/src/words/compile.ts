import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import {
  type Compiled,
  DATE,
  NUMBER,
  ORDINAL,
  type Part,
  PLURAL,
  POUND,
  SELECT,
  TAG,
} from './message.ts'

/** Parses an ICU message. Throws if it is malformed or needs what the panel's runtime leaves out. */
export function compile(message: string): Compiled {
  const elements = parsed(message)
  const parts = elements.map(partOf)
  if (parts.every((part) => typeof part === 'string')) return parts.join('')
  return [hasTag(elements) ? 1 : 0, ...parts]
}

function parsed(message: string): MessageFormatElement[] {
  try {
    return parse(message, { requiresOtherClause: true })
  } catch (error) {
    throw new Error(`Not an ICU message: ${message}`, { cause: error })
  }
}

function partOf(element: MessageFormatElement): Part {
  switch (element.type) {
    case TYPE.literal:
      return element.value
    case TYPE.argument:
      return [element.value]
    case TYPE.pound:
      return POUND
    case TYPE.tag:
      return [element.value, TAG, element.children.map(partOf)]
    case TYPE.number:
      return [element.value, NUMBER, numberStyle(element.style)]
    case TYPE.date:
      return [element.value, DATE, dateStyle('dateStyle', element.style)]
    case TYPE.time:
      return [element.value, DATE, dateStyle('timeStyle', element.style)]
    case TYPE.select:
      return [element.value, SELECT, optionsOf(element.options)]
    case TYPE.plural:
      if (element.offset !== 0) throw new Error('Plural offsets are not supported')
      return [
        element.value,
        element.pluralType === 'ordinal' ? ORDINAL : PLURAL,
        optionsOf(element.options),
      ]
  }
}

const optionsOf = (options: Readonly<Record<string, { readonly value: MessageFormatElement[] }>>) =>
  Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, value.map(partOf)]))

type Style = string | { readonly parsedOptions: object } | null | undefined

/** `{share, number, percent}`, or a skeleton such as `{size, number, ::.0}`. */
function numberStyle(style: Style): Intl.NumberFormatOptions {
  if (!style) return {}
  if (style === 'percent') return { style: 'percent' }
  if (style === 'integer') return { maximumFractionDigits: 0 }
  if (typeof style === 'object') return style.parsedOptions as Intl.NumberFormatOptions
  throw new Error(`Unknown number style: ${style}`)
}

const DATE_STYLES = ['full', 'long', 'medium', 'short'] as const

function dateStyle(kind: 'dateStyle' | 'timeStyle', style: Style): Intl.DateTimeFormatOptions {
  if (style && typeof style === 'object') return style.parsedOptions as Intl.DateTimeFormatOptions
  const known = DATE_STYLES.find((name) => name === (style || 'medium'))
  if (!known) throw new Error(`Unknown date style: ${style}`)
  return { [kind]: known }
}

const hasTag = (elements: readonly MessageFormatElement[]): boolean =>
  elements.some(
    (element) =>
      element.type === TYPE.tag ||
      ((element.type === TYPE.plural || element.type === TYPE.select) &&
        Object.values(element.options).some(({ value }) => hasTag(value))),
  )
