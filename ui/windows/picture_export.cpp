// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/picture_export.h"

#include "ui/windows/file_saver.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QWidget>

namespace inversight {

namespace {

constexpr int kScreenDpi = 96;
constexpr double kPointsPerInch = 72;

QByteArray pngOf(QWidget& widget) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    widget.grab().toImage().save(&buffer, "PNG");
    return bytes;
}

QByteArray svgOf(QWidget& widget) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(widget.size());
    generator.setViewBox(widget.rect());
    generator.setResolution(kScreenDpi);
    QPainter painter(&generator);
    widget.render(&painter);
    painter.end();
    return bytes;
}

QByteArray pdfOf(QWidget& widget) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kScreenDpi);
    const QSizeF points = QSizeF(widget.size()) * (kPointsPerInch / kScreenDpi);
    writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    widget.render(&painter);
    painter.end();
    return bytes;
}

} // namespace

Result<void> exportPicture(QWidget& widget, const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == u"png")
        return saveFile(path, pngOf(widget));
    if (ending == u"svg")
        return saveFile(path, svgOf(widget));
    if (ending == u"pdf")
        return saveFile(path, pdfOf(widget));
    return std::unexpected(Error{ErrorCode::Unsupported, "pictures are PNG, SVG or PDF",
                                 path.toStdString(), "give a name that ends in one of these"});
}

} // namespace inversight
