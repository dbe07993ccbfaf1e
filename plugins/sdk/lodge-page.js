// The panel's API for the page of a plugin. Lodge inserts it before the page's script, so `lodge`
// exists from its first line on. The types are in page.ts.

// No policy of browsers blocks WebRTC. `this` is the window, whatever the page declares below.
delete this.RTCPeerConnection
delete this.webkitRTCPeerConnection
;(() => {
  const VERSION = 1
  const HEIGHT_EVERY_MS = 100
  const root = document.documentElement
  const ready = Promise.withResolvers()
  const waiting = new Map()
  const listeners = new Set()
  let asked = 0
  let port
  let context

  function show(given) {
    context = Object.freeze(given)
    for (const [name, value] of Object.entries(given.tokens))
      root.style.setProperty(`--l-${name}`, value)
    root.style.colorScheme = given.scheme
    root.dataset.scheme = given.scheme
    root.dataset.density = given.density
    root.lang = given.language
    for (const listener of listeners) listener(context)
    ready.resolve(context)
  }

  function received({ data }) {
    if (data.context) show(data.context)
    const answered = waiting.get(data.id)
    if (!answered) return
    waiting.delete(data.id)
    if (data.error)
      answered.reject(Object.assign(new Error(data.error.message), { code: data.error.code }))
    else answered.resolve(data.answer)
  }

  async function tell(message) {
    await ready.promise
    port.postMessage(message)
  }

  async function ask(message) {
    const id = ++asked
    const answer = Promise.withResolvers()
    waiting.set(id, answer)
    await tell({ id, ...message })
    return answer.promise
  }

  let isFixed = false
  let isMeasuring = false
  let told = 0
  function measure() {
    isMeasuring = false
    const height = Math.ceil(root.getBoundingClientRect().height)
    if (isFixed || height === told) return
    told = height
    void tell({ ask: 'height', height })
  }
  new ResizeObserver(() => {
    if (isMeasuring) return
    isMeasuring = true
    setTimeout(measure, told === 0 ? 0 : HEIGHT_EVERY_MS)
  }).observe(root)

  addEventListener('message', ({ source, data, ports: [given] }) => {
    if (source !== parent || data?.lodge !== VERSION || !given || port) return
    port = given
    port.onmessage = received
    show(data.context)
  })
  parent.postMessage({ lodge: VERSION }, '*')

  globalThis.lodge = Object.freeze({
    version: VERSION,
    ready: ready.promise,
    get context() {
      return context
    },
    onContext(listener) {
      listeners.add(listener)
      if (context) listener(context)
      return () => void listeners.delete(listener)
    },
    call: async (method, payload = null) =>
      ask({ ask: 'call', method, payload: JSON.stringify(payload) }),
    navigate: (path) => ask({ ask: 'navigate', path }),
    toast: (text, tone = 'ok') => void tell({ ask: 'toast', text, tone }),
    height(height) {
      isFixed = true
      void tell({ ask: 'height', height })
    },
  })
})()
