import { XML_ATTRIBUTE } from '@lodge/shared/container-spec.ts'
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'
import { type Edit, type Parser, replacement, textOf } from '../edit.ts'

/** A node of the parsed document: one tag name with its children, plus the attributes. */
interface XmlNode {
  [name: string]: XmlNode[] | string | Record<string, string>
}

const ATTRIBUTES = ':@'
const TEXT = '#text'
const COMMON = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  commentPropName: '#comment',
  cdataPropName: '#cdata',
  processEntities: false,
} as const

/**
 * XML: `root.child[@name='x'].*`. Creates missing elements; a value `[name='text']` sets an
 * attribute.
 */
export const editXml: Parser = (text, edits) => {
  if (/<!DOCTYPE/i.test(text)) throw new Error('Documents with a DOCTYPE are not edited')
  const nodes: XmlNode[] = text.trim() === '' ? [] : parseXml(text)
  let changed = false
  for (const edit of edits) changed = applyXmlEdit(nodes, edit) || changed
  if (!changed) return text
  const built: string = new XMLBuilder({ ...COMMON, format: false, suppressEmptyNode: true }).build(
    nodes,
  )
  return withOuterSpace(text, built)
}

/** The parser drops whitespace around the root: restores what the file had. */
function withOuterSpace(before: string, built: string): string {
  const end = before.slice(before.trimEnd().length)
  const start = before.slice(0, Math.max(before.search(ROOT), 0))
  const space = start.slice(start.trimEnd().length)
  const at = built.search(ROOT)
  if (start.trim() === '' || /\s$/.test(built.slice(Math.max(at - 1, 0), at))) return built + end
  return built.slice(0, at) + space + built.slice(at) + end
}

const ROOT = /<[A-Za-z_:]/

function parseXml(text: string): XmlNode[] {
  const valid = XMLValidator.validate(text, { allowBooleanAttributes: true })
  if (valid !== true) throw new Error(`${valid.err.msg} (line ${valid.err.line})`)
  return new XMLParser({
    ...COMMON,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    allowBooleanAttributes: true,
  }).parse(text)
}

interface XmlStep {
  readonly tag: string
  readonly attribute?: { readonly name: string; readonly value: string }
  /** Counts from 1, as in XPath. */
  readonly position?: number
}

/** Splits at dots and slashes outside brackets. */
function xmlSteps(match: string): XmlStep[] {
  const parts = match.match(/(?:\[[^\]]*\]|[^./[])+/g) ?? []
  return parts.map((part) => {
    const [, tag = '', inside] = /^([^[]+)(?:\[(.*)\])?$/s.exec(part) ?? []
    if (!/^(\*|[\w:-]+)$/.test(tag)) throw new Error(`"${match}" is not a path`)
    if (inside === undefined) return { tag }
    if (/^\d+$/.test(inside)) return { tag, position: Number(inside) }
    const [, name, , value] = /^@([\w:-]+)=(['"])(.*)\2$/s.exec(inside) ?? []
    if (name === undefined || value === undefined)
      throw new Error(`"[${inside}]" is not understood`)
    return { tag, attribute: { name, value } }
  })
}

const tagOf = (node: XmlNode): string => Object.keys(node).find((name) => name !== ATTRIBUTES) ?? ''
const isElement = (node: XmlNode): boolean => !/^[#?]/.test(tagOf(node))

function childrenOf(node: XmlNode): XmlNode[] {
  const children = node[tagOf(node)]
  return Array.isArray(children) ? children : []
}

function attributesOf(node: XmlNode): Record<string, string> {
  const attributes = node[ATTRIBUTES]
  return typeof attributes === 'object' && !Array.isArray(attributes) ? attributes : {}
}

function matching(nodes: readonly XmlNode[], step: XmlStep): XmlNode[] {
  const found = nodes.filter(
    (node) =>
      isElement(node) &&
      (step.tag === '*' || tagOf(node) === step.tag) &&
      (!step.attribute ||
        attributesOf(node)[step.attribute.name] === escapeXml(step.attribute.value)),
  )
  return step.position === undefined ? found : found.slice(step.position - 1, step.position)
}

function applyXmlEdit(nodes: XmlNode[], edit: Edit): boolean {
  const steps = xmlSteps(edit.match)
  const mayMake =
    edit.ifValue === undefined &&
    steps.every((step) => step.tag !== '*' && step.position === undefined)
  let places: XmlNode[][] = [nodes]
  let found: XmlNode[] = []
  for (const [depth, step] of steps.entries()) {
    found = places.flatMap((place) => {
      const present = matching(place, step)
      if (present.length > 0 || !mayMake) return present
      if (depth === 0 && place.some(isElement)) throw new Error(`The root is not <${step.tag}>`)
      return [addElement(place, step)]
    })
    places = found.map(childrenOf)
  }
  let changed = false
  for (const node of found) changed = setElement(node, edit) || changed
  return changed
}

/** Appends an element after its siblings, with their indentation. */
function addElement(place: XmlNode[], step: XmlStep): XmlNode {
  const made: XmlNode = { [step.tag]: [] }
  if (step.attribute) made[ATTRIBUTES] = { [step.attribute.name]: escapeXml(step.attribute.value) }
  const first = place[0]
  const indent =
    first && TEXT in first && typeof first[TEXT] === 'string' && first[TEXT].trim() === ''
      ? first
      : undefined
  if (indent && place.length > 1) place.splice(place.length - 1, 0, { ...indent }, made)
  else place.push(made)
  return made
}

function setElement(node: XmlNode, edit: Edit): boolean {
  const children = childrenOf(node)
  const present = children
    .map((child) => child[TEXT])
    .filter((text) => typeof text === 'string')
    .join('')
  const wanted = replacement(edit, unescapeXml(present.trim()))
  if (wanted === undefined) return false
  const text = textOf(wanted)
  const [, name, value] = (edit.asText ? null : XML_ATTRIBUTE.exec(text)) ?? []
  if (name !== undefined && value !== undefined) {
    if (attributesOf(node)[name] === escapeXml(value)) return false
    node[ATTRIBUTES] = { ...attributesOf(node), [name]: escapeXml(value) }
    return true
  }
  if (children.length === 1 && present === escapeXml(text)) return false
  const elements = children.filter(isElement)
  if (elements.length > 0) throw new Error(`<${tagOf(node)}> holds elements, not text`)
  children.splice(0, children.length, { [TEXT]: escapeXml(text) })
  return true
}

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]

/** Characters that no XML document may contain, even escaped. */
const IMPOSSIBLE = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escapeXml = (text: string): string =>
  ENTITIES.reduce(
    (escaped, [char, entity]) => escaped.replaceAll(char, entity),
    text.replaceAll(IMPOSSIBLE, ''),
  )

const unescapeXml = (text: string): string =>
  ENTITIES.reduceRight((plain, [char, entity]) => plain.replaceAll(entity, char), text)
