/** Titles of jobs, with a name in braces for each value. A domain adds those of its own jobs. */
export const JOB_TITLES = [
  'Create {server}',
  'Start {server}',
  'Stop {server}',
  'Restart {server}',
  'Kill {server}',
  'Reinstall {server}',
  'Suspend {server}',
  'Resume {server}',
  'Delete {server}',
  'Cancel restart of {server}',
  'Mark {server} as stopped',
  'Update {server} to version {version} of {template}',
  'Move {server} to {node}',
  'Change the storage of {server}',
  'Move all servers away from {node}',
  'Bring back {server} from a backup',
  'Bring back {server} from shared storage',
  'Bring back the servers of {node}',
  'Clone {server} to {name}',
  'Back up {server}',
  'Restore {server} from {backup}',
  'Restore files of {server} from {backup}',
  'Delete the backup {backup}',
  'Verify {backup} of {server}',
  'Back up the panel to {place}',
  'Take a snapshot of {server}',
  'Delete the snapshot {snapshot}',
  'Change the medium of {server}',
  'Change the hardware of {server}',
  'Change the disks of {server}',
  'Check the medium {medium}',
  'Copy {files} on {server}',
  'Delete {files} on {server}',
  'Archive {files} on {server}',
  'Extract {files} on {server}',
  'Fetch {files} from {host} to {server}',
  'Run {schedule} of {server}',
  'Remove unused images of {node}',
  'Update the agent of {node}',
  'Update the agent of a node',
  'Update the agents of {count} nodes',
] as const

/** One of these titles with its values. */
export type JobTitle = Filled<(typeof JOB_TITLES)[number]>

type Filled<Phrase extends string> = Phrase extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Phrase

/** The steps of jobs that nodes do by reaching a desired state; those of sagas are with the sagas. */
export const NODE_STEPS = [
  'Prepare',
  'Prepare the image',
  'Install',
  'Start',
  'Stop',
  'Restart',
  'Kill',
  'Resume',
  'Remove from the node',
] as const
export type NodeStep = (typeof NODE_STEPS)[number]
