import { globSync } from 'node:fs'
import path from 'node:path'

/** The module that the panel loads in another language than English; see `src/panel/other-language.ts`. */
export const LIST = 'virtual:translations'

interface Translation {
  readonly language: string
  /** Of the catalogue in the list. */
  readonly place: number
  readonly file: string
  /** The folder of pages that it belongs to, or what they share: in one file for the browser. */
  readonly folder: string
}

/** The translations of catalogues below `web/src` and `shared/src`: `words.de.ts` beside `words.ts`. */
export class Translations {
  readonly #places = new Map<string, number>()
  readonly #all: readonly Translation[]

  constructor(root: string) {
    const files = globSync('{web,shared}/src/**/{words,names}.*.ts', { cwd: root })
      .filter((name) => !name.endsWith('.test.ts'))
      .sort()
    this.#all = files.map((name) => {
      const file = path.join(root, name)
      const catalogue = file.replace(/\.[a-z-]+\.ts$/, '.ts')
      const place = this.#places.get(catalogue) ?? this.#places.size
      this.#places.set(catalogue, place)
      const folder = /\/names\./.test(name) ? undefined : name.match(/\/pages\/([^/]+)\//)?.[1]
      return { language: name.split('.').at(-2) ?? '', place, file, folder: folder ?? 'panel' }
    })
  }

  /** Where the list has the translations of a catalogue; undefined if it has none. */
  placeOf = (catalogue: string): number | undefined => this.#places.get(catalogue)

  /** The source of the list, or of the part of it that `id` names. */
  source(id: string): string {
    if (id === LIST) return this.#list()
    return this.#all
      .filter((one) => partOf(one) === id)
      .map(({ place, file }) => `export{default as t${place}}from${JSON.stringify(file)}`)
      .join('\n')
  }

  /** For each language, what loads the translation at each place. */
  #list(): string {
    const languages = [...Map.groupBy(this.#all, ({ language }) => language)]
    const parts = [...new Set(this.#all.map(partOf))]
    return [
      ...parts.map((part, at) => `const p${at}=()=>import(${JSON.stringify(part)})`),
      `export default {${languages.map(([language, all]) => {
        const loads = all.map(
          (one) =>
            `${one.place}:()=>p${parts.indexOf(partOf(one))}().then((m)=>({default:m.t${one.place}}))`,
        )
        return `${JSON.stringify(language)}:{${loads}}`
      })}}`,
    ].join('\n')
  }
}

const partOf = ({ language, folder }: Translation): string => `${LIST}/${language}/${folder}`
