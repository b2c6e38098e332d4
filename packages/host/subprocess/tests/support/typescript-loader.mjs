// Lets a child process of a test run the sources: `node --import <this file> program.ts`.
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
