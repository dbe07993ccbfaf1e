import type { CssNode } from 'css-tree'
import generate from 'css-tree/generator'
import parse from 'css-tree/parser'
import walk from 'css-tree/walker'
import { invalid } from '../../http/input.ts'

/** Properties that change only appearance: none moves elements or loads anything. */
const PROPERTIES =
  /^(--lodge-[\w-]+|color|background-color|opacity|border(-(top|right|bottom|left))?(-(color|width|style|radius))?|border-(top|bottom)-(left|right)-radius|outline(-(color|width|style|offset))?|box-shadow|text-shadow|font(-(size|weight|style|variant|stretch))?|line-height|letter-spacing|word-spacing|text-(align|transform|decoration|decoration-(color|line|style|thickness)|indent)|padding(-(top|right|bottom|left))?|margin(-(top|right|bottom|left))?|gap|row-gap|column-gap|width|max-width|min-width|height|max-height|min-height|display|accent-color|caret-color|transition(-(duration|property|timing-function))?|filter)$/
/** The panel's stable hooks for CSS, and its root. */
const HOOK = /^lodge-[\w-]+$/
const AT_RULES = new Set(['media', 'supports'])
/** Allowed functions: none loads anything, runs code or reads attributes of the page. */
const FUNCTIONS =
  /^(var|calc|min|max|clamp|rgb|rgba|hsl|hsla|oklch|oklab|lab|lch|hwb|color|color-mix|light-dark|linear-gradient|radial-gradient|conic-gradient|cubic-bezier|steps|blur|brightness|contrast|grayscale|saturate|drop-shadow)$/i

/**
 * Checks custom CSS and serializes it from the syntax tree, so that only CSS that we understood is
 * served. Refuses what the parser does not understand, because browsers may read it differently.
 * @throws {Problem} `validation_failed`, naming the line
 */
export function checkCss(css: string): string {
  if (css.trim() === '') return ''
  const faults: string[] = []
  const lineOf = (node: CssNode) => node.loc?.start.line ?? 1
  if (/<\/|<!--|\\/.test(css))
    faults.push('must not contain closing tags, comments of HTML or backslashes')
  const sheet = parse(css, {
    positions: true,
    parseCustomProperty: true,
    onParseError: (error) => void faults.push(`line ${error.line}: ${error.message}`),
  })
  walk(sheet, (node) => {
    const fault = faultOf(node)
    if (fault !== undefined) faults.push(`line ${lineOf(node)}: ${fault}`)
  })
  if (faults.length > 0)
    throw invalid(faults.slice(0, 10).map((detail) => ({ pointer: '/branding/customCss', detail })))
  return generate(sheet)
}

function faultOf(node: CssNode): string | undefined {
  switch (node.type) {
    case 'Raw':
      return 'this part is not understood'
    case 'Url':
      return 'url() is not allowed: upload images instead'
    case 'Atrule':
      return AT_RULES.has(node.name.toLowerCase()) ? undefined : `@${node.name} is not allowed`
    case 'Function':
      return FUNCTIONS.test(node.name) ? undefined : `${node.name}() is not allowed`
    case 'Declaration':
      return declarationFault(node.property, generate(node.value))
    case 'AttributeSelector':
      return 'attribute selectors are not allowed'
    case 'TypeSelector':
    case 'IdSelector':
    case 'NestingSelector':
      return `select by .lodge-… or :root, not by ${generate(node)}`
    case 'ClassSelector':
      return HOOK.test(node.name) ? undefined : `select by .lodge-…, not by .${node.name}`
    case 'PseudoElementSelector':
      return 'pseudo-elements are not allowed'
    case 'PseudoClassSelector':
      return /^(root|hover|focus|focus-visible|active|disabled|first-child|last-child)$/.test(
        node.name,
      )
        ? undefined
        : `:${node.name} is not allowed`
    default:
      return undefined
  }
}

function declarationFault(property: string, value: string): string | undefined {
  const name = property.toLowerCase()
  if (!PROPERTIES.test(name)) return `${property} is not allowed`
  // CSS that hides elements could hide the way back to this page.
  if (name === 'display' && value === 'none') return 'display: none is not allowed'
  if (name === 'opacity' && Number.parseFloat(value) < 0.2)
    return 'opacity below 0.2 is not allowed'
  return undefined
}
