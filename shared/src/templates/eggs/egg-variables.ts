import type { DocumentNote } from '../checked-document.ts'
import type { TemplateVariable } from '../document.ts'
import { RESERVED_NAMES } from '../reserved-names.ts'
import { checkVariable } from '../rules/check-variable.ts'
import { parseRules } from '../rules/parse-rules.ts'
import type { Rule } from '../rules/rule.ts'
import { booleanOf, type Loose, lineOf, objectOf, own, textOf } from './loose.ts'

export interface EggVariables {
  readonly variables: TemplateVariable[]
  /** New names of variables that had to be renamed. */
  readonly renamed: ReadonlyMap<string, string>
}

/** Reads the variables in order and renames those whose names are reserved or invalid. */
export function variablesOf(value: unknown, warnings: DocumentNote[]): EggVariables {
  const items = Array.isArray(value) ? value : Object.values(objectOf(value) ?? {})
  const renamed = new Map<string, string>()
  const taken = new Set<string>()
  const variables: TemplateVariable[] = []
  for (const [index, item] of inOrder(items).entries()) {
    const path = `variables.${index}`
    const source = objectOf(item)
    const given = textOf(own(source, 'env_variable'))?.trim() ?? ''
    if (!source || given === '') {
      warnings.push({ path, detail: 'The variable has no env_variable and was left out' })
      continue
    }
    const env = environmentName(given)
    if (taken.has(env)) {
      warnings.push({ path, detail: `A second variable ${env} was left out` })
      continue
    }
    taken.add(env)
    if (env !== given) {
      renamed.set(given, env)
      warnings.push({
        path,
        detail: `${given.slice(0, 80)} is now called ${env}: its name is taken or not possible`,
      })
    }
    variables.push(readVariable(source, env, path, warnings))
  }
  return { variables, renamed }
}

/** By `sort` if given; ties keep the document's order. */
function inOrder(items: readonly unknown[]): unknown[] {
  const position = (item: unknown) => {
    const sort = own(objectOf(item), 'sort')
    return typeof sort === 'number' && Number.isFinite(sort) ? sort : Number.MAX_SAFE_INTEGER
  }
  return [...items].sort((a, b) => position(a) - position(b))
}

function environmentName(given: string): string {
  const possible = given.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, 180)
  const begun = /^[A-Za-z_]/.test(possible) ? possible : `_${possible}`
  const reserved = RESERVED_NAMES.includes(begun.toUpperCase()) || begun === '__proto__'
  return reserved ? `SERVER_${begun.toUpperCase()}` : begun
}

function readVariable(
  source: Loose,
  env: string,
  path: string,
  warnings: DocumentNote[],
): TemplateVariable {
  const parsed = parseRules(own(source, 'rules'))
  for (const detail of parsed.warnings) warnings.push({ path: `${path}.rules`, detail })
  const given = own(source, 'default_value')
  const value = textOf(given)
  if (value === undefined && given !== null && given !== undefined) {
    warnings.push({
      path: `${path}.default_value`,
      detail: 'The default is not text and was left out',
    })
  }
  const name = lineOf(own(source, 'name'), 128) || env.slice(0, 128)
  const text = (value ?? '').slice(0, 32_768)
  const rules = parsed.rules.slice(0, 16)
  // An empty default is a value that the server's creator must give.
  const fault = text === '' ? undefined : checkVariable({ name: 'it', rules }, text)
  if (fault) {
    const detail = `The default of ${env.slice(0, 80)} breaks its own rules: ${fault}`
    warnings.push({ path: `${path}.default_value`, detail })
  }
  return {
    name,
    description: (textOf(own(source, 'description')) ?? '').slice(0, 16_384),
    env,
    default: text,
    rules,
    userViewable: booleanOf(own(source, 'user_viewable'), true),
    userEditable: booleanOf(own(source, 'user_editable'), true),
    secret: isSecretName(env) && !parsed.rules.some(isChoice),
  }
}

/** A value that can be picked from a list is not a secret, whatever its name. */
const isChoice = ({ rule }: Rule): boolean => ['boolean', 'accepted', 'in'].includes(rule)

const SECRET_PARTS = ['PASS', 'PASSWD', 'PW', 'KEY', 'KEYS', 'APIKEY', 'DSN', 'CREDENTIALS', 'GSLT']

/** Whether a variable's name says that its value is a secret. */
export function isSecretName(env: string): boolean {
  const name = env.toUpperCase()
  if (/PASSWORD|TOKEN|SECRET|PRIVATE_?KEY|API_?KEY/.test(name)) return true
  return !name.includes('PUBLIC') && name.split('_').some((part) => SECRET_PARTS.includes(part))
}
