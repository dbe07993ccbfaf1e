import { fuzzyScore } from './fuzzy.ts'
import type { PaletteCommand } from './palette-command.ts'

const MOST = 40

/** The matching commands, best first within their group, the best group first. */
export function ranked(
  commands: readonly PaletteCommand[],
  text: string,
): readonly PaletteCommand[] {
  if (text.trim() === '') return commands.slice(0, MOST)
  const scored = commands
    .map((command) => ({
      command,
      score: Math.max(
        fuzzyScore(text, command.label),
        fuzzyScore(text, `${command.label} ${command.keywords ?? ''} ${command.group}`) / 2,
      ),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ command }) => command)
  const groups = [...new Set(scored.map(({ group }) => group))]
  return groups.flatMap((group) => scored.filter((command) => command.group === group))
}
