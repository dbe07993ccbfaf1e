import koffi from 'koffi'

/**
 * The functions of libvirt's C API that we use. Only the port's child process may import this: a
 * wrong declaration crashes the process. Sources: `libvirt-domain.h`, `libvirt-network.h`,
 * `libvirt-nwfilter.h`, `libvirt-secret.h`, `libvirt-event.h`, `virterror.h`.
 */

/** An address in this process; null is NULL. */
export type Pointer = bigint

const libvirt = koffi.load('libvirt.so.0')
const libc = koffi.load('libc.so.6')

/**
 * A C function that ignores its arguments, for callbacks that libvirt requires and we do not need.
 */
export const ignore = libc.symbol('abs')
export const freeMemory = libc.func('void free(void *p)')

/** Text that the caller owns: decoded, then freed. */
koffi.disposable('OwnedText', 'str', freeMemory)

export const ErrorRecord = koffi.struct('virError', {
  code: 'int',
  domain: 'int',
  message: 'char *',
  level: 'int',
  conn: 'void *',
  dom: 'void *',
  str1: 'char *',
  str2: 'char *',
  str3: 'char *',
  int1: 'int',
  int2: 'int',
  net: 'void *',
})
/** Includes the compiler's padding: without it every value would be read four bytes too early. */
export const TypedParameter = koffi.struct('virTypedParameter', {
  field: koffi.array('char', 80, 'String'),
  type: 'int',
  padding: 'int',
  value: koffi.array('uint8_t', 8),
})
export const StatsRecord = koffi.struct('virDomainStatsRecord', {
  dom: 'void *',
  params: 'void *',
  nparams: 'int',
})

const SIZES = [
  ['virError', ErrorRecord, 80],
  ['virTypedParameter', TypedParameter, 96],
  ['virDomainStatsRecord', StatsRecord, 24],
] as const
for (const [name, type, bytes] of SIZES) {
  const size = koffi.sizeof(type)
  if (size !== bytes) throw new Error(`${name} has ${size} bytes here instead of ${bytes}`)
}

/**
 * Called synchronously on the main thread: only for functions that neither contact the daemon nor
 * wait for a lock.
 */
type Now<A extends unknown[], R> = (...args: A) => R
/** Called on a thread of the pool. */
type Later<A extends unknown[], R> = (...args: A) => Promise<R>

function now<A extends unknown[], R>(declaration: string): Now<A, R> {
  return libvirt.func(declaration)
}

function later<A extends unknown[], R>(declaration: string): Later<A, R> {
  const call = libvirt.func(declaration)
  return (...args) =>
    new Promise((resolve, reject) => {
      call.async(...args, (error: unknown, result: R) => (error ? reject(error) : resolve(result)))
    })
}

type Out<T> = [T]
type Void = undefined

export const initialize = now<[], number>('int virInitialize()')
export const setErrorPrinter = now<[null, unknown], Void>(
  'void virSetErrorFunc(void *data, void *handler)',
)
export const connectionError = now<[Pointer], Pointer | null>('void *virConnGetLastError(void *c)')
export const resetConnectionError = now<[Pointer], Void>('void virConnResetLastError(void *c)')

export const open = later<[string], Pointer | null>('void *virConnectOpen(const char *uri)')
/** Waits for the daemon's reply, so not on the main thread. */
export const close = later<[Pointer], number>('int virConnectClose(void *c)')
export const isAlive = later<[Pointer], number>('int virConnectIsAlive(void *c)')
export const setKeepAlive = later<[Pointer, number, number], number>(
  'int virConnectSetKeepAlive(void *c, int seconds, uint count)',
)
export const libraryVersion = later<[Pointer, Out<number | bigint>], number>(
  'int virConnectGetLibVersion(void *c, _Out_ ulong *version)',
)
export const hypervisorVersion = later<[Pointer, Out<number | bigint>], number>(
  'int virConnectGetVersion(void *c, _Out_ ulong *version)',
)
export const domainCapabilities = later<
  [Pointer, string | null, string | null, string | null, string | null, number],
  string | null
>(
  'OwnedText virConnectGetDomainCapabilities(void *c, const char *emulator, const char *arch, const char *machine, const char *type, uint flags)',
)

export const lookUpDomain = later<[Pointer, string], Pointer | null>(
  'void *virDomainLookupByUUIDString(void *c, const char *uuid)',
)
export const defineDomain = later<[Pointer, string, number], Pointer | null>(
  'void *virDomainDefineXMLFlags(void *c, const char *xml, uint flags)',
)
export const createTransient = later<[Pointer, string, number], Pointer | null>(
  'void *virDomainCreateXML(void *c, const char *xml, uint flags)',
)
export const listDomains = later<[Pointer, Out<Pointer | null>, number], number>(
  'int virConnectListAllDomains(void *c, _Out_ void **domains, uint flags)',
)
export const freeDomain = now<[Pointer], number>('int virDomainFree(void *d)')
export const domainName = now<[Pointer], string>('str virDomainGetName(void *d)')
export const domainUuid = now<[Pointer, Buffer], number>(
  'int virDomainGetUUIDString(void *d, _Out_ uint8_t *text)',
)
export const domainState = later<[Pointer, Out<number>, Out<number>, number], number>(
  'int virDomainGetState(void *d, _Out_ int *state, _Out_ int *reason, uint flags)',
)
export const domainXml = later<[Pointer, number], string | null>(
  'OwnedText virDomainGetXMLDesc(void *d, uint flags)',
)
export const setMetadata = later<
  [Pointer, number, string | null, string | null, string, number],
  number
>(
  'int virDomainSetMetadata(void *d, int type, const char *metadata, const char *key, const char *uri, uint flags)',
)
export const startDomain = later<[Pointer, number], number>(
  'int virDomainCreateWithFlags(void *d, uint flags)',
)
export const shutDownDomain = later<[Pointer, number], number>(
  'int virDomainShutdownFlags(void *d, uint flags)',
)
export const destroyDomain = later<[Pointer, number], number>(
  'int virDomainDestroyFlags(void *d, uint flags)',
)
export const resetDomain = later<[Pointer, number], number>(
  'int virDomainReset(void *d, uint flags)',
)
export const suspendDomain = later<[Pointer], number>('int virDomainSuspend(void *d)')
export const resumeDomain = later<[Pointer], number>('int virDomainResume(void *d)')
export const undefineDomain = later<[Pointer, number], number>(
  'int virDomainUndefineFlags(void *d, uint flags)',
)
export const hasManagedSave = later<[Pointer, number], number>(
  'int virDomainHasManagedSaveImage(void *d, uint flags)',
)
export const allDomainStats = later<[Pointer, number, Out<Pointer | null>, number], number>(
  'int virConnectGetAllDomainStats(void *c, uint kinds, _Out_ void **records, uint flags)',
)
export const beginBackup = later<[Pointer, string, null, number], number>(
  'int virDomainBackupBegin(void *d, const char *backup, const char *checkpoint, uint flags)',
)
export const backupXml = later<[Pointer, number], string | null>(
  'OwnedText virDomainBackupGetXMLDesc(void *d, uint flags)',
)
export const abortJob = later<[Pointer], number>('int virDomainAbortJob(void *d)')
export const jobStats = later<
  [Pointer, Out<number>, Out<Pointer | null>, Out<number>, number],
  number
>(
  'int virDomainGetJobStats(void *d, _Out_ int *type, _Out_ void **params, _Out_ int *count, uint flags)',
)
export const freeParameters = now<[Pointer, number], Void>(
  'void virTypedParamsFree(void *params, int count)',
)
export const freezeFileSystems = later<[Pointer, null, number, number], number>(
  'int virDomainFSFreeze(void *d, void *points, uint count, uint flags)',
)
export const thawFileSystems = later<[Pointer, null, number, number], number>(
  'int virDomainFSThaw(void *d, void *points, uint count, uint flags)',
)
export const freeStats = now<[Pointer], Void>('void virDomainStatsRecordListFree(void *records)')
export const setMemoryStatsPeriod = later<[Pointer, number, number], number>(
  'int virDomainSetMemoryStatsPeriod(void *d, int seconds, uint flags)',
)
export const changeMedia = later<[Pointer, string, number], number>(
  'int virDomainUpdateDeviceFlags(void *d, const char *xml, uint flags)',
)

export const setBlockIoTune = later<[Pointer, string, Buffer, number, number], number>(
  'int virDomainSetBlockIoTune(void *d, const char *disk, uint8_t *params, int count, uint flags)',
)
export const setSchedulerParameters = later<[Pointer, Buffer, number, number], number>(
  'int virDomainSetSchedulerParametersFlags(void *d, uint8_t *params, int count, uint flags)',
)

export const newStream = now<[Pointer, number], Pointer | null>(
  'void *virStreamNew(void *c, uint flags)',
)
export const freeStream = now<[Pointer], number>('int virStreamFree(void *s)')
export const abortStream = now<[Pointer], number>('int virStreamAbort(void *s)')
export const finishStream = later<[Pointer], number>('int virStreamFinish(void *s)')
export const receive = later<[Pointer, Buffer, number], number>(
  'int virStreamRecv(void *s, _Out_ uint8_t *bytes, size_t count)',
)
export const screenshot = later<[Pointer, Pointer, number, number], string | null>(
  'OwnedText virDomainScreenshot(void *d, void *stream, uint screen, uint flags)',
)

export const lookUpNetwork = later<[Pointer, string], Pointer | null>(
  'void *virNetworkLookupByName(void *c, const char *name)',
)
export const defineNetwork = later<[Pointer, string], Pointer | null>(
  'void *virNetworkDefineXML(void *c, const char *xml)',
)
export const networkXml = later<[Pointer, number], string | null>(
  'OwnedText virNetworkGetXMLDesc(void *n, uint flags)',
)
export const isNetworkActive = later<[Pointer], number>('int virNetworkIsActive(void *n)')
export const startNetwork = later<[Pointer], number>('int virNetworkCreate(void *n)')
export const destroyNetwork = later<[Pointer], number>('int virNetworkDestroy(void *n)')
export const undefineNetwork = later<[Pointer], number>('int virNetworkUndefine(void *n)')
export const setNetworkAutostart = later<[Pointer, number], number>(
  'int virNetworkSetAutostart(void *n, int yes)',
)
export const updateNetwork = later<[Pointer, number, number, number, string, number], number>(
  'int virNetworkUpdate(void *n, uint command, uint section, int parent, const char *xml, uint flags)',
)
export const listNetworks = later<[Pointer, Out<Pointer | null>, number], number>(
  'int virConnectListAllNetworks(void *c, _Out_ void **networks, uint flags)',
)
export const networkLabel = now<[Pointer], string>('str virNetworkGetName(void *n)')
export const freeNetwork = now<[Pointer], number>('int virNetworkFree(void *n)')

export const defineSecret = later<[Pointer, string, number], Pointer | null>(
  'void *virSecretDefineXML(void *c, const char *xml, uint flags)',
)
export const setSecretValue = later<[Pointer, Buffer, number, number], number>(
  'int virSecretSetValue(void *s, const uint8_t *value, size_t size, uint flags)',
)
export const freeSecret = now<[Pointer], number>('int virSecretFree(void *s)')

export const defineFilter = later<[Pointer, string], Pointer | null>(
  'void *virNWFilterDefineXML(void *c, const char *xml)',
)
export const lookUpFilter = later<[Pointer, string], Pointer | null>(
  'void *virNWFilterLookupByName(void *c, const char *name)',
)
export const filterXml = later<[Pointer, number], string | null>(
  'OwnedText virNWFilterGetXMLDesc(void *f, uint flags)',
)
export const undefineFilter = later<[Pointer], number>('int virNWFilterUndefine(void *f)')
export const freeFilter = now<[Pointer], number>('int virNWFilterFree(void *f)')

export const registerEventLoop = now<[], number>('int virEventRegisterDefaultImpl()')
export const runEventLoopOnce = later<[], number>('int virEventRunDefaultImpl()')
export const addTimeout = now<[number, unknown, null, null], number>(
  'int virEventAddTimeout(int milliseconds, void *callback, void *data, void *release)',
)
export const updateTimeout = now<[number, number], Void>(
  'void virEventUpdateTimeout(int timer, int milliseconds)',
)
export const onDomainEvent = later<[Pointer, null, number, unknown, null, null], number>(
  'int virConnectDomainEventRegisterAny(void *c, void *d, int id, void *callback, void *data, void *release)',
)
export const onClose = later<[Pointer, unknown, null, null], number>(
  'int virConnectRegisterCloseCallback(void *c, void *callback, void *data, void *release)',
)
