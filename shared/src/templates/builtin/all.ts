import { TemplateDocument } from '../document.ts'
import { factorio, terraria } from './games.ts'
import { luanti, openttd } from './luanti.ts'
import { minecraftBedrock, minecraftPaper, minecraftVanilla, velocity } from './minecraft.ts'
import { mumble } from './mumble.ts'
import { postgresql } from './postgresql.ts'
import { nodeProgram, pythonProgram, redis, website } from './programs.ts'
import { garrysMod, rust, valheim } from './steam-games.ts'

const inputs = [
  luanti,
  minecraftPaper,
  minecraftVanilla,
  minecraftBedrock,
  velocity,
  valheim,
  rust,
  garrysMod,
  terraria,
  factorio,
  openttd,
  mumble,
  website,
  nodeProgram,
  pythonProgram,
  postgresql,
  redis,
]

/** A template that ships with Lodge. Its identity never changes; a change of its content is a new version. */
export interface BuiltInTemplate {
  readonly uuid: string
  readonly document: TemplateDocument
  /** Shown before the others until an administrator decides otherwise. */
  readonly featured?: boolean
}

const FEATURED: readonly unknown[] = [luanti, minecraftPaper, website, postgresql]

let read: readonly BuiltInTemplate[] | undefined

/** All built-in templates, read at the first use because that takes a while. */
export function builtInTemplates(): readonly BuiltInTemplate[] {
  read ??= inputs.map((input) => ({
    uuid: input.uuid,
    document: TemplateDocument.parse(input),
    featured: FEATURED.includes(input),
  }))
  return read
}
