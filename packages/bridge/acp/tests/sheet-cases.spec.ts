/** The conformance cases of the sheet's §15, by number. */
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, describe } from 'vitest'
import { addExitCases } from './cases/exit.js'
import { addFallbackCases } from './cases/fallback.js'
import { addGateCases } from './cases/gate.js'
import { addOutputCases } from './cases/output.js'
import { addPermissionCases } from './cases/permission.js'
import { addRegistrationCases } from './cases/registration.js'
import { CaseRegistry } from './cases/registry.js'
import { addTransportCases } from './cases/transport.js'
import { disposeHouses } from './house.js'

useBaseline()
afterEach(disposeHouses)

const registry = new CaseRegistry()

describe('gate', () => addGateCases(registry))
describe('registration', () => addRegistrationCases(registry))
describe('output', () => addOutputCases(registry))
describe('exit and status', () => addExitCases(registry))
describe('permission, cancel, background', () => addPermissionCases(registry))
describe('fallback', () => addFallbackCases(registry))
describe('replay and transport', () => addTransportCases(registry))
registry.close()
