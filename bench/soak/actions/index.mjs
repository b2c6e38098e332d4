/** Everything an agent may do. An action has a kind, a weight, `plan(random)` for its parameters, and `run(agent, step)`. */
import { JOBS } from './jobs.mjs'
import { LIVES } from './lives.mjs'
import { OWNERSHIP } from './ownership.mjs'
import { PEOPLE } from './people.mjs'
import { PROGRAMS } from './programs.mjs'
import { SHELL } from './shell.mjs'
import { STOPS } from './stops.mjs'

export const ACTIONS = [...SHELL, ...PROGRAMS, ...STOPS, ...JOBS, ...OWNERSHIP, ...PEOPLE, ...LIVES]
