import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    backups: 'Backups',
    backUpNow: 'Back up now',
    backUp: 'Back up server',
    backUpText:
      'The panel copies all files of the server, which keeps running. Only what changed since the last backup is stored again.',
    backUpMachine:
      'The panel copies the disks, firmware variables and TPM as of one moment, and a running machine keeps running. Only what changed since the last backup is stored again.',
    name: 'Name',
    nameHelp: 'If empty, it is named after the time.',
    leftOutHere: 'Without these files (optional)',
    leftOutHereHelp: 'One per line, such as cache/ or *.log. This applies to this backup only.',
    keepLocked: 'Lock this backup',
    keepLockedHelp: 'Nobody can delete it until it is unlocked.',

    backup: 'Backup',
    state: 'State',
    created: 'Created',
    duration: 'Duration',
    size: 'Size',
    actions: 'Actions',
    good: 'Complete',
    creating: 'Creating',
    creatingPercent: 'Creating, {percent}%',
    failed: 'Failed',
    damaged: 'Damaged',
    verified: 'Verified <when></when>',
    found: 'Found <when></when>',
    neverVerified: 'It was not read back yet since it was made.',
    foundDamaged: 'It was found damaged <when></when>: {reason} Single files may still be intact.',
    deleting: 'Deleting',
    progressOf: 'Progress of {backup}',
    locked: 'Locked: it cannot be deleted',
    bySchedule: 'By a schedule',
    byFormerAccount: 'By a deleted account',
    byYou: 'By you',
    byPerson: 'By {person}',
    whileRunning: '{by}, while the server ran',
    sizeTitle:
      '{count, plural, one {# file} other {# files}}. It added {stored} to what is stored.',
    notMeasured: 'Not known before it is complete',
    noBackups: 'No backups yet',
    noBackupsText: 'A backup brings back the files of this server. Make one before an update.',

    noBackupsMachine: 'A backup brings back this whole machine. Make one before an update.',
    disksNotFiles: 'They contain whole disks, so single files cannot be browsed or restored.',

    leaveOutAsk: 'Leave out…',
    leaveOut: 'Leave files out of backups',
    leaveOutText:
      'Backups from now on do not contain these files. A restore of such a backup keeps them as they are on the server.',
    patterns: 'Files and folders',
    patternsHelp:
      'One per line. * stands for any part of a name, ** for any folders. A slash at the end means the contents of folders with this name.',
    patternsExample: 'cache/\n*.log\n/world/backups',
    asTemplate: 'As the template says',
    saveLeftOut: 'Save list',
    leftOutSaved: 'List saved',
    leftOut: 'Backups leave out: {patterns}.',
    without: 'Without: {patterns}',
    leftOutStays:
      'The backup leaves out {patterns}. These files stay as they are on the server now; nothing of them is deleted.',
    leftOutStaysOther:
      'The backup leaves out {patterns}. Such files of the chosen server stay as they are; nothing of them is deleted.',

    actionsFor: 'Actions for {backup}',
    restoreOne: 'Restore {backup}',
    restoreAsk: 'Restore…',
    restoreToOtherAsk: 'Restore to another server…',
    browseOne: 'Browse files of {backup}',
    browse: 'Browse files',
    download: 'Download',
    verify: 'Verify',
    verifying: 'Verifying {backup}',
    notVerified: 'Could not verify {backup}',
    nothingToVerify: 'Only a complete backup can be verified',
    damagedSoNot: 'It is damaged: restore single files of it, or verify it again',
    renameAsk: 'Rename…',
    lock: 'Lock',
    unlock: 'Unlock',
    deleteAsk: 'Delete…',
    notComplete: 'Only a complete backup has files',
    stillCreating: 'It is being made: cancel that job instead',
    beingDeleted: 'It is being deleted',
    underWay: 'Wait for the job under way: {job}',
    unlockFirst: 'Unlock it first',
    nothingToLock: 'A failed backup holds nothing that could be locked',
    notChanged: 'Could not change {backup}',

    rename: 'Rename backup',
    deleteOne: 'Delete {backup}',
    delete: 'Delete backup',
    deleteText:
      'This deletes the backup made <when></when> permanently. The server and its other backups are kept.',
    deleteFailedText: 'This removes the failed backup from the list. It holds no files.',

    restore: 'Restore backup',
    restoreLead: 'This replaces all files of {server} with those saved <when></when> ({size}):',
    checkedFirst:
      'The backup is restored beside the current files and checked, while {server} keeps running.',
    exchangedRunning: '{server} stops, and the files are swapped in one step.',
    exchangedStopped: 'The files are swapped in one step.',
    provenRunning: 'It starts again. If it does not, it gets its present files back.',
    provenStopped:
      'Its present files are kept until it has started with the restored ones, for at most 24 hours.',
    restoreLeadMachine:
      'This replaces all disks of {server} with those saved <when></when> ({size}), and firmware variables and TPM with them:',
    checkedFirstMachine:
      'The backup is restored beside the current disks and checked, while {server} keeps running.',
    exchangedRunningMachine: '{server} stops, and the disks are swapped in one step.',
    exchangedStoppedMachine: 'The disks are swapped in one step.',
    provenRunningMachine: 'It starts again. If it does not, it gets its present disks back.',
    provenStoppedMachine:
      'Its present disks are kept until it has started with the restored ones, for at most 24 hours.',
    backUpFirst: 'Back up the present state first',
    backUpFirstHelp:
      'That backup is kept, and counts as one more. If it fails or is damaged, nothing is restored.',
    noRoomForBackup: 'There is no room for another backup: delete one first',
    backedUpFirst: 'The present files of {server} are backed up, and that backup is checked.',
    backedUpFirstMachine:
      'The present disks of {server} are backed up, and that backup is checked.',
    backedUpFirstOther: 'What it has now is backed up, and that backup is checked.',
    restoreLoses: 'Then whatever changed since is gone.',
    restoring: 'Restoring {server}',
    seeJobs: 'See its progress under Jobs.',
    targetServer: 'Server',
    searchTargets: 'Search servers',
    targetHelp: 'Other container servers of the same owner.',
    noTarget: 'There is no other container server of the same owner',
    targetHelpMachine:
      'Other virtual machines of the same owner. Its disks have to be at least as large as those in the backup.',
    noTargetMachine: 'There is no other virtual machine of the same owner',
    chooseTarget: 'Choose a server',
    otherLead:
      'This replaces all files of the chosen server with those of {source}, saved <when></when> ({size}):',
    otherLeadMachine:
      'This replaces the disks of the chosen machine with those of {source}, saved <when></when> ({size}). It keeps its own TPM and network:',
    checkedFirstOther:
      'The backup is restored beside its current files and checked, while it keeps running.',
    exchangedOther: 'It stops if it runs, and the files are swapped in one step.',
    otherLoses: 'What it has now is gone then.',
    provenOther: 'It starts again if it ran. If it does not start, it gets its present files back.',

    checkedFirstOtherMachine:
      'The backup is restored beside its current disks and checked, while it keeps running.',
    exchangedOtherMachine: 'It stops if it runs, and the disks are swapped in one step.',
    provenOtherMachine:
      'It starts again if it ran. If it does not start, it gets its present disks back.',

    usedServer: 'Backups of this server',
    usedAccount: 'Backups of the account',
    usedAccountOther: 'Backups of the owner’s account',
    usedStorage: 'Backup storage',
    usedOf: '{used} of {limit}',
    keptOnNode: 'Backups are kept on {node}, encrypted. They do not outlive the node.',
    keptAway: 'Backups are kept away from {node}, encrypted, so they outlive it.',
    keptNowhere: 'No other node keeps backups of {node} now, so none can be made.',
    keptOnOther: 'Backups are kept on {other}, encrypted, so they outlive {node}.',
    nothingSafe:
      'If {node} were lost now, nothing of this server would come back: no backup of it is elsewhere.',
    safeSince:
      'If {node} were lost now, the server would come back with its state of <when></when>.',
    byHost: 'By the host',
    hostKeepsIt:
      'The host made it to protect against the loss of a node, and decides when it is deleted',
    rotation:
      'Of those that schedules make, the newest {count, plural, one {one is} other {# are}} kept; locked ones stay.',
    formerKeptMachine: 'The disks from before the last restore are still kept',
    formerKept: 'The files from before the last restore are still kept',
    formerKeptText:
      'The panel deletes them once the server has started with what was restored, or <when></when>.',

    downloadOne: 'Download {entry}',
    folders: 'Folders of this backup',
    allFiles: 'All files',
    entry: 'Name',
    changed: 'Changed',
    emptyFolder: 'This folder is empty',
    truncated: 'This folder has more entries. Only the first {count} are listed.',
    folder: 'Folder',
    link: 'Link',
    otherKind: 'Special file',
    restoreSelected: '{count, plural, one {Restore # entry…} other {Restore # entries…}}',
    selectFirst: 'Select files or folders first',
    backToFiles: 'Back to the files',
    restoreFiles: 'Restore files',
    restoreFilesText:
      '{count, plural, one {{name} is restored.} other {# entries are restored.}} Folders come with everything in them. The server can run meanwhile.',
    where: 'Where to',
    intoFolder: 'Into a folder',
    intoFolderHelp: 'Beside the present files, to compare them.',
    inPlace: 'In their places',
    inPlaceHelp: 'Present files of the same names are replaced. Other files stay.',
    keepReplaced: 'Keep what is replaced',
    keepReplacedHelp:
      'Present files of the same names are moved to a new folder of the server, where they take space until you delete them.',
    replacedIsLost: 'Present files of the same names are gone then.',
    restoringFiles: 'Restoring files',
    replacedGoesTo: 'Files that are replaced go to {folder}. See its progress under Jobs.',
    targetFolder: 'Folder',
    targetFolderHelp: 'It is created if it does not exist.',
  },
  { de: () => import('./words.de.ts') },
)
