import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FakeProgram } from './program.ts'

interface Stage {
  print(text: string): void
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
}

/** Does what a program does at its start. */
export async function play(program: FakeProgram, stage: Stage): Promise<void> {
  switch (program.kind) {
    case 'exit':
      return stage.print('bye\n')
    case 'print':
      for (let line = 1; line <= program.lines; line += 1) stage.print(`line ${line}\n`)
      return
    case 'environment':
      return stage.print(`${stage.environment[program.variable] ?? ''}\nready\n`)
    case 'store':
      await writeFile(join(stage.folder, 'kept'), new Uint8Array(program.bytes))
      return stage.print('ready\n')
    case 'run':
    case 'echo':
    case 'deaf':
      return stage.print('ready\n')
    case 'grow':
      return
  }
}
