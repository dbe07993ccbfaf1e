/// <reference types="vite/client" />

/** Made by the build (web/words/plugin.ts). */
declare module 'virtual:translations' {
  const translations: import('@lodge/shared/words/placed.ts').Placed
  export default translations
}
