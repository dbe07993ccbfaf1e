import { paths } from '../../paths.ts'
import { settingsGroup } from './settings-text.ts'
import { t } from './words.ts'

/** Where backups of servers are stored, and which the host makes. */
export const BACKUPS = settingsGroup({
  id: 'backups',
  stored: 'backups',
  area: () => t.backups,
  path: paths.settingsBackups,
  may: 'settings.manage',
  fields: {
    place: { card: () => t.backupPlace, label: () => t.backupPlace, words: () => t.backupWords },
    storageNode: {
      at: '/storageNodeIds',
      card: () => t.storageCard,
      label: () => t.storageNode,
      words: () => t.storageWords,
      under: 'place',
    },
    secondStorageNode: {
      at: '/storageNodeIds',
      card: () => t.storageCard,
      label: () => t.secondStorageNode,
      description: () => t.secondStorageHelp,
      words: () => t.storageWords,
      under: 'place',
    },
    endpoint: {
      at: '/s3',
      card: () => t.bucketCard,
      label: () => t.endpoint,
      description: () => t.endpointHelp,
      words: () => t.bucketWords,
      under: 'place',
    },
    bucket: {
      at: '/s3',
      card: () => t.bucketCard,
      label: () => t.bucket,
      words: () => t.bucketWords,
      under: 'place',
    },
    prefix: {
      at: '/s3',
      card: () => t.bucketCard,
      label: () => t.bucketFolder,
      description: () => t.bucketFolderHelp,
      under: 'place',
    },
    region: {
      at: '/s3',
      card: () => t.bucketCard,
      label: () => t.region,
      description: () => t.regionHelp,
      under: 'place',
    },
    accessKeyId: {
      at: '/s3',
      card: () => t.bucketCard,
      label: () => t.accessKeyId,
      words: () => t.bucketWords,
      under: 'place',
    },
    secretAccessKey: {
      at: '/s3',
      card: () => t.bucketCard,
      label: () => t.secretAccessKey,
      words: () => t.bucketWords,
      under: 'place',
    },
    protects: {
      at: '/protection',
      card: () => t.protectCard,
      label: () => t.protects,
      words: () => t.protectWords,
    },
    protectPlace: {
      at: '/protection',
      card: () => t.protectCard,
      label: () => t.protectPlace,
      under: 'protects',
    },
    everyHours: {
      at: '/protection',
      card: () => t.protectCard,
      label: () => t.everyHours,
      description: () => t.everyHoursHelp,
      words: () => t.protectWords,
      under: 'protects',
    },
    keepProtected: {
      at: '/protection',
      card: () => t.protectCard,
      label: () => t.keepProtected,
      under: 'protects',
    },
    protectedNodes: {
      at: '/protection',
      card: () => t.protectCard,
      label: () => t.protectedNodes,
      description: () => t.protectedNodesHelp,
      under: 'protects',
    },
    verify: {
      card: () => t.verifyCard,
      label: () => t.verifyCard,
      words: () => t.verifyWords,
    },
    downloads: {
      card: () => t.backupDownloads,
      label: () => t.customersDownload,
      description: () => t.customersDownloadHelp,
    },
    keepScheduled: {
      card: () => t.rotation,
      label: () => t.keepScheduled,
      description: () => t.keepScheduledHelp,
      words: () => t.backupWords,
    },
  },
})

/** Backups of the panel itself, whose area the API does not list among the origins. */
