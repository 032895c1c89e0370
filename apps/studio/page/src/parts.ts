// SPDX-License-Identifier: BSD-3-Clause
// The store of the page, put together of each area's part.
import { documentPart } from './document/part';
import { lookPart } from './look/part';
import { shellPart } from './shell/part';
import { createStudio } from './store';

export const useStudio = createStudio([shellPart, documentPart, lookPart]);
