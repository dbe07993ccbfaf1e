import { type LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

type Load = () => Promise<LanguageSupport | StreamParser<unknown>>

const clike = () => import('@codemirror/legacy-modes/mode/clike')
const xml = () => import('@codemirror/legacy-modes/mode/xml')
const script = () => import('@codemirror/legacy-modes/mode/javascript')

/** Languages of the editor, each loaded with the first file that needs it. */
const LANGUAGES: Readonly<Record<string, { readonly of: RegExp; readonly load: Load }>> = {
  JSON: {
    of: /\.(json5?|mcmeta)$/i,
    load: async () => (await import('@codemirror/lang-json')).json(),
  },
  YAML: {
    of: /\.(ya?ml|sk)$/i,
    load: async () => (await import('@codemirror/lang-yaml')).yaml(),
  },
  Properties: {
    of: /(\.(properties|ini|cfg|conf|env|lang)|\/\.env)$/i,
    load: async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  },
  TOML: {
    of: /\.toml$/i,
    load: async () => (await import('@codemirror/legacy-modes/mode/toml')).toml,
  },
  XML: { of: /\.(xml|svg)$/i, load: async () => (await xml()).xml },
  HTML: { of: /\.html?$/i, load: async () => (await xml()).html },
  JavaScript: { of: /\.[mc]?jsx?$/i, load: async () => (await script()).javascript },
  TypeScript: { of: /\.tsx?$/i, load: async () => (await script()).typescript },
  CSS: {
    of: /\.css$/i,
    load: async () => (await import('@codemirror/legacy-modes/mode/css')).css,
  },
  Markdown: {
    of: /\.(md|markdown)$/i,
    load: async () => (await import('@codemirror/lang-markdown')).markdown(),
  },
  Shell: {
    of: /\.(sh|bash)$/i,
    load: async () => (await import('@codemirror/legacy-modes/mode/shell')).shell,
  },
  Lua: {
    of: /\.lua$/i,
    load: async () => (await import('@codemirror/legacy-modes/mode/lua')).lua,
  },
  Java: { of: /\.java$/i, load: async () => (await clike()).java },
  Kotlin: { of: /\.kts?$/i, load: async () => (await clike()).kotlin },
  Python: {
    of: /\.py$/i,
    load: async () => (await import('@codemirror/legacy-modes/mode/python')).python,
  },
}

/** The name of the language of a file; undefined for plain text. */
export const languageOf = (path: string): string | undefined =>
  Object.entries(LANGUAGES).find(([, { of }]) => of.test(path))?.[0]

/** What an editor needs for a language; plain text if it cannot be loaded. */
export async function loadLanguage(name: string | undefined): Promise<Extension> {
  const language = name === undefined ? undefined : LANGUAGES[name]
  if (!language) return []
  try {
    const loaded = await language.load()
    return 'token' in loaded ? StreamLanguage.define(loaded) : loaded
  } catch {
    return []
  }
}
