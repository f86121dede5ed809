// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/file_saver.h"

#include <QFileDialog>
#include <QSaveFile>
#include <QToolTip>

namespace inversight {

Result<void> saveFile(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return std::unexpected(Error{
            ErrorCode::Io, "the file could not be written: " + file.errorString().toStdString(),
            path.toStdString()});
    return {};
}

bool saveByDialog(QWidget* parent, const QString& title, const QString& name, const QString& filter,
                  const QByteArray& bytes) {
    const QString path = QFileDialog::getSaveFileName(parent, title, name, filter);
    if (path.isEmpty())
        return false;
    const Result<void> saved = saveFile(path, bytes);
    if (!saved)
        QToolTip::showText(parent->mapToGlobal(QPoint()),
                           QString::fromStdString(saved.error().sentence()), parent);
    return saved.has_value();
}

} // namespace inversight
