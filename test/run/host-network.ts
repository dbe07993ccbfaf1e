import { leaveHostNetwork } from '../../drivers/docker/src/testing/host-network.ts'

// Before each file: hooks after a file are not run once one of them has failed.
await leaveHostNetwork()
