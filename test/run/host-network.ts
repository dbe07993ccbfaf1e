import { leaveHostNetwork } from '../../drivers/docker/src/testing/host-network.ts'

// Before each file rather than after it, because hooks after a file do not run once one has failed.
await leaveHostNetwork()
