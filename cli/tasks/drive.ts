import type { TargetConfig } from '../../target/config/config-types.ts';
import type { DriveInput } from '../../suites/drive-means.ts';
import { driveTarget } from '../../suites/drive-target.ts';
import type { DriveReport } from '../../suites/drive/index.ts';
import type { DrivenService } from '../../suites/driven-service.ts';
import { drivenByContract } from '../../suites/own-code/own-service.ts';
import type { TaskSetting } from './task-setting.ts';

/** Drives a target. The record is written as it goes; verdicts are taken from the record. */
export async function driveTask(input: DriveInput, setting: TaskSetting): Promise<DriveReport> {
  return driveTarget(await serviceOf(input.config), input, setting);
}

/** The service that is driven: that of a configuration, or the one that Assay brings along. */
async function serviceOf({ service }: Pick<TargetConfig, 'service'>): Promise<DrivenService> {
  if (service !== undefined) return drivenByContract(service.apis);
  return (await import('../driven-service.ts')).SERVICE;
}
