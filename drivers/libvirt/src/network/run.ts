import { type ProgramResult, runProgram } from '@lodge/driver/run-program.ts'
import type { Settings } from '../options.ts'

/** Runs a program in libvirt's network namespace. */
export type RunOnNode = (
  file: string,
  args: readonly string[],
  input?: string,
) => Promise<ProgramResult>

export function runOnNode({ networkNamespace: inside }: Settings): RunOnNode {
  return (file, args, input) => {
    const options = input === undefined ? {} : { input }
    return inside === undefined
      ? runProgram(file, args, options)
      : runProgram('nsenter', [`--net=${inside}`, '--', file, ...args], options)
  }
}
