// The sentences of the migration documents.
#pragma once

#include "exporter/compat/words.h"

namespace ascend {

extern const Words kMigrationIntroduction;
extern const Words kMigrationDeviations;  // heading and lead of the list
extern const Words kMigrationLabels;
extern const Words kMigrationTable;  // heading, lead and head of the table

}  // namespace ascend
